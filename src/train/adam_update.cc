#include "src/train/adam_update.h"

#include <cmath>

namespace keylens::train {

void AddAndClear(float* sum, float* other, int64_t count) {
  for (int64_t i = 0; i < count; ++i) {
    sum[i] += other[i];
    other[i] = 0;
  }
}

double SumOfSquares(const float* values, int64_t count) {
  constexpr int kLanes = 16;
  float lanes[kLanes] = {};
  int64_t i = 0;
  for (; i + kLanes <= count; i += kLanes) {
    for (int lane = 0; lane < kLanes; ++lane) {
      lanes[lane] += values[i + lane] * values[i + lane];
    }
  }
  for (; i < count; ++i) lanes[0] += values[i] * values[i];
  double sum = 0;
  for (const float lane : lanes) sum += lane;
  return sum;
}

void UpdateAdam(const AdamScalars& s, const AdamBuffers& at, int64_t count) {
  for (int64_t i = 0; i < count; ++i) {
    const float gradient = at.gradient[i] * s.gradient_scale;
    const float first =
        at.first_moment[i] + (gradient - at.first_moment[i]) * (1 - s.beta1);
    const float square = gradient * gradient;
    const float second =
        at.second_moment[i] + (square - at.second_moment[i]) * (1 - s.beta2);
    const float root = std::sqrt(second * s.variance_scale) + s.epsilon;
    const float value = at.value[i] * s.decay - s.step_size * first / root;
    at.first_moment[i] = first;
    at.second_moment[i] = second;
    at.value[i] = value;
    at.average[i] += (value - at.average[i]) * s.average_move;
    at.gradient[i] = 0;
  }
}

}  // namespace keylens::train
