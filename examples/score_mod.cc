// keylens/score_mod.h: a cap, a bias, and a change of the scores of one's own.

#include <keylens/attention.h>
#include <keylens/score_mod.h>

#include <cmath>
#include <cstdint>
#include <cstdio>

namespace {

// sign(score) sqrt(|score|), and near 0 a line: large scores count for less.
// Backward multiplies by the derivative, which depends on the score that
// Forward was given; a gradient of 0, which a masked key has, must stay 0 even
// where that score is a NaN.
class SquareRoot : public keylens::ScoreMod {
 public:
  void Forward(keylens::ScoreTile scores) const override {
    for (int64_t i = 0; i < scores.coord.num_queries; ++i) {
      for (int64_t j = 0; j < scores.coord.num_keys; ++j) {
        const float score = scores.Row(i)[j];
        const float size = std::abs(score);
        if (size > 1) scores.Row(i)[j] = std::copysign(std::sqrt(size), score);
      }
    }
  }

  void Backward(keylens::ScoreTile before,
                keylens::ScoreTile grad) const override {
    for (int64_t i = 0; i < grad.coord.num_queries; ++i) {
      for (int64_t j = 0; j < grad.coord.num_keys; ++j) {
        if (grad.Row(i)[j] == 0) continue;
        const float size = std::abs(before.Row(i)[j]);
        if (size > 1) grad.Row(i)[j] /= 2 * std::sqrt(size);
      }
    }
  }
};

}  // namespace

int main() {
  // One query and three keys with scores 0, 0 and 2500; values 1, 2 and 4.
  const float query = 1, key[3] = {0, 0, 2500}, value[3] = {1, 2, 4};
  const float bias[3] = {std::log(3.0f), 0, 0};
  float out = 0, logsumexp = 0;
  const auto log_odds =
      keylens::AdditiveBias(keylens::Contiguous(bias, {1, 1, 1, 3}));
  const SquareRoot root;
  const auto cap = keylens::SoftCap(2);

  // In order: 2500 becomes 50, capped to 2; then the first key is biased.
  keylens::AttentionOptions options;
  options.scale = 1;
  options.score_mods = {&root, cap.get(), log_odds.get()};
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
