#include <keylens/score_mod.h>
#include <keylens/tensor_view.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "src/score_mod/diagonal_bias.h"
#include "src/score_mod/head_sums.h"
#include "src/score_mod/require_gradient.h"

namespace keylens {
namespace {

class LinearBias : public ScoreMod {
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

// d(score - slope distance) / d slope = -distance.
class LearntLinearBias final : public LinearBias {
 public:
  LearntLinearBias(std::vector<float> slopes, TensorView<float, 1> gradient)
      : LinearBias(std::move(slopes)), gradient_(gradient) {}

  void BeginBackward(const ScoreShape& shape) const override {
    sums_.Begin(shape);
  }

  void Backward(ScoreTile /*before*/, ScoreTile grad) const override {
    double& sum = *sums_.Of(grad.coord);
    ForEachDiagonalSum(grad, [&sum](int64_t offset, float diagonal) {
      sum -= static_cast<double>(std::abs(offset)) * diagonal;
    });
  }

  void EndBackward() const override {
    for (int64_t head = 0; head < gradient_.shape[0]; ++head) {
      gradient_.data[head * gradient_.strides[0]] =
          static_cast<float>(sums_.Total(head, 0));
    }
  }

 private:
  TensorView<float, 1> gradient_;
  mutable HeadSums sums_{1};
};

// 2^(-8 (h + 1) / num_heads) for head h of a power of two.
float SlopeOf(int64_t head, int64_t num_heads) {
  return static_cast<float>(std::exp2(-8.0 * static_cast<double>(head + 1) /
                                      static_cast<double>(num_heads)));
}

void RequireFinite(const std::vector<float>& slopes) {
  for (std::size_t head = 0; head < slopes.size(); ++head) {
    if (std::isfinite(slopes[head])) continue;
    throw std::invalid_argument("AlibiBias: slopes[" + std::to_string(head) +
                                "] is " + std::to_string(slopes[head]));
  }
}

}  // namespace

std::unique_ptr<ScoreMod> AlibiBias(std::vector<float> slopes) {
  RequireFinite(slopes);
  return std::make_unique<LinearBias>(std::move(slopes));
}

std::unique_ptr<ScoreMod> AlibiBias(std::vector<float> slopes,
                                    TensorView<float, 1> gradient) {
  RequireFinite(slopes);
  RequireGradientOf("AlibiBias", "slopes",
                    std::array{static_cast<int64_t>(slopes.size())}, gradient);
  return std::make_unique<LearntLinearBias>(std::move(slopes), gradient);
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
