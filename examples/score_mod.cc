// keylens/score_mod.h: a bias, and a change of the scores of one's own.

#include <keylens/attention.h>
#include <keylens/score_mod.h>

#include <cmath>
#include <cstdint>
#include <cstdio>

namespace {

// cap * tanh(score / cap): no score beyond the cap. Backward multiplies by the
// derivative, which depends on the score that Forward was given.
class SmoothCap : public keylens::ScoreMod {
 public:
  explicit SmoothCap(float cap) : cap_(cap) {}

  void Forward(keylens::ScoreTile scores) const override {
    for (int64_t i = 0; i < scores.coord.num_queries; ++i) {
      for (int64_t j = 0; j < scores.coord.num_keys; ++j) {
        scores.Row(i)[j] = cap_ * std::tanh(scores.Row(i)[j] / cap_);
      }
    }
  }

  void Backward(keylens::ScoreTile before,
                keylens::ScoreTile grad) const override {
    for (int64_t i = 0; i < grad.coord.num_queries; ++i) {
      for (int64_t j = 0; j < grad.coord.num_keys; ++j) {
        const float t = std::tanh(before.Row(i)[j] / cap_);
        grad.Row(i)[j] *= 1 - t * t;
      }
    }
  }

 private:
  float cap_;
};

}  // namespace

int main() {
  // One query and three keys with scores 0, 0 and 50; values 1, 2 and 4.
  const float query = 1, key[3] = {0, 0, 50}, value[3] = {1, 2, 4};
  const float bias[3] = {std::log(3.0f), 0, 0};
  float out = 0, logsumexp = 0;
  const auto log_odds =
      keylens::AdditiveBias(keylens::Contiguous(bias, {1, 1, 1, 3}));
  const SmoothCap cap(2);

  keylens::AttentionOptions options;
  options.scale = 1;
  options.score_mods = {&cap, log_odds.get()};  // capped, then biased
  keylens::AttentionForward<float>(
      {keylens::Contiguous(&query, {1, 1, 1, 1}),
       keylens::Contiguous(key, {1, 1, 3, 1}),
       keylens::Contiguous(value, {1, 1, 3, 1})},
      options,
      {keylens::Contiguous(&out, {1, 1, 1, 1}),
       keylens::Contiguous(&logsumexp, {1, 1, 1})});

  // The weights are as 3 : 1 : e^2.
  const double third = std::exp(2.0), sum = 3 + 1 + third;
  const double wanted = (3 * 1 + 1 * 2 + third * 4) / sum;
  std::printf("out %g, wanted %g; logsumexp %g, wanted %g\n", out, wanted,
              logsumexp, std::log(sum));
  return std::abs(out - wanted) < 1e-5 &&
                 std::abs(logsumexp - std::log(sum)) < 1e-5
             ? 0
             : 1;
}
