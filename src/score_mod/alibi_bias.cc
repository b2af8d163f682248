#include <keylens/score_mod.h>

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "src/score_mod/diagonal_bias.h"

namespace keylens {
namespace {

class LinearBias final : public ScoreMod {
 public:
  explicit LinearBias(std::vector<float> slopes) : slopes_(std::move(slopes)) {}

  void Forward(ScoreTile scores) const override {
    const float slope = slopes_[static_cast<std::size_t>(scores.coord.head)];
    AddToDiagonals(scores, [slope](int64_t offset) {
      return -slope * static_cast<float>(std::abs(offset));
    });
  }

  // The derivative of score + bias by score is 1.
  void Backward(ScoreTile /*before*/, ScoreTile /*grad*/) const override {}

  bool BackwardReadsScores() const override { return false; }

  std::string Misfit(const ScoreShape& shape) const override {
    const auto count = static_cast<int64_t>(slopes_.size());
    if (count == shape.num_heads) return "";
    return "slopes has " + std::to_string(count) + " entries for " +
           std::to_string(shape.num_heads) + " heads";
  }

 private:
  std::vector<float> slopes_;
};

// 2^(-8 (h + 1) / num_heads) for head h of a power of two.
float SlopeOf(int64_t head, int64_t num_heads) {
  return static_cast<float>(std::exp2(-8.0 * static_cast<double>(head + 1) /
                                      static_cast<double>(num_heads)));
}

}  // namespace

std::unique_ptr<ScoreMod> AlibiBias(std::vector<float> slopes) {
  for (std::size_t head = 0; head < slopes.size(); ++head) {
    if (std::isfinite(slopes[head])) continue;
    throw std::invalid_argument("AlibiBias: slopes[" + std::to_string(head) +
                                "] is " + std::to_string(slopes[head]));
  }
  return std::make_unique<LinearBias>(std::move(slopes));
}

std::vector<float> AlibiSlopes(int64_t num_heads) {
  if (num_heads < 0) {
    throw std::invalid_argument("AlibiSlopes: num_heads is " +
                                std::to_string(num_heads));
  }
  int64_t power = 1;
  while (power <= num_heads / 2) power *= 2;
  std::vector<float> slopes;
  for (int64_t head = 0; head < num_heads; ++head) {
    slopes.push_back(head < power ? SlopeOf(head, power)
                                  : SlopeOf(2 * (head - power), 2 * power));
  }
  return slopes;
}

}  // namespace keylens
