#include "src/train/schedule.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace keylens::train {
namespace {

// The part of the rate that is left where `left` of the fall is to come.
double Fallen(double left, DecayShape shape) {
  if (shape == DecayShape::kLinear) return left;
  return 0.5 - 0.5 * std::cos(std::numbers::pi * left);
}

}  // namespace

double Schedule::LearningRate(int64_t step, double progress) const {
  const double warmup = std::min(
      1.0, static_cast<double>(step + 1) /
               static_cast<double>(std::max<int64_t>(warmup_steps, 1)));
  const double left = std::clamp(1.0 - progress, 0.0, 1.0);
  const double decay =
      left < decay_share ? Fallen(left / decay_share, decay_shape) : 1.0;
  return learning_rate * std::min(warmup, decay);
}

double AverageDecay(int64_t step, double limit) {
  const auto n = static_cast<double>(step);
  return std::min(limit, (1 + n) / (10 + n));
}

}  // namespace keylens::train
