// keylens/attention.h: forward, then backward, and one step down the gradient.
//
// A query learns to look at the key whose value it is asked for.

#include <keylens/attention.h>

#include <cstdint>
#include <cstdio>
#include <random>
#include <vector>

namespace {

constexpr int64_t kKeys = 6, kDim = 8;

struct Problem {
  std::vector<float> query = std::vector<float>(kDim, 0.1f);
  std::vector<float> key = std::vector<float>(kKeys * kDim);
  std::vector<float> value = {0, 0, 0, 1, 0, 0};  // one number per key

  keylens::AttentionInputs<float> Inputs() const {
    return {keylens::Contiguous(query.data(), {1, 1, 1, kDim}),
            keylens::Contiguous(key.data(), {1, 1, kKeys, kDim}),
            keylens::Contiguous(value.data(), {1, 1, kKeys, 1})};
  }
};

// Moves the query so that the output comes nearer to 1; returns the output.
float Step(Problem& problem) {
  float out = 0, logsumexp = 0;
  const keylens::AttentionOutputs<float> outputs = {
      keylens::Contiguous(&out, {1, 1, 1, 1}),
      keylens::Contiguous(&logsumexp, {1, 1, 1})};
  keylens::AttentionForward<float>(problem.Inputs(), {}, outputs);

  const float out_grad = out - 1;  // of the loss (out - 1)^2 / 2
  std::vector<float> query_grad(kDim);
  keylens::AttentionGradients<float> gradients;  // those with null data are
                                                 // not computed
  gradients.query = keylens::Contiguous(query_grad.data(), {1, 1, 1, kDim});
  keylens::AttentionBackward<float>(
      problem.Inputs(), {}, outputs,
      keylens::Contiguous(&out_grad, {1, 1, 1, 1}), gradients);
  for (int64_t d = 0; d < kDim; ++d) problem.query[d] -= 5 * query_grad[d];
  return out;
}

}  // namespace

int main() {
  Problem problem;
  std::mt19937 random(1);
  std::normal_distribution<float> normal;
  for (float& x : problem.key) x = normal(random);

  const float before = Step(problem);
  float after = before;
  for (int step = 0; step < 500; ++step) after = Step(problem);
  std::printf("output before training %.3f, after %.3f\n", before, after);
  return before < 0.5f && after > 0.95f ? 0 : 1;
}
