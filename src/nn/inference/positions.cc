#include "src/nn/inference/positions.h"

#include <cmath>

namespace keylens::nn {

std::vector<float> SinusoidalTable(int64_t len, int64_t dim,
                                   double max_period) {
  const int64_t half = dim / 2;
  std::vector<float> table(static_cast<std::size_t>(len * dim));
  float* row = table.data();
  for (int64_t position = 0; position < len; ++position, row += dim) {
    for (int64_t i = 0; i < half; ++i) {
      const double frequency =
          std::exp(static_cast<double>(i) / static_cast<double>(half) *
                   -std::log(max_period));
      const double angle = static_cast<double>(position) * frequency;
      row[i] = static_cast<float>(std::sin(angle));
      row[half + i] = static_cast<float>(std::cos(angle));
    }
  }
  return table;
}

}  // namespace keylens::nn
