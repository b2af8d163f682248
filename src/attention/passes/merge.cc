#include "src/attention/passes/merge.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace keylens::internal {

float MergeRow(std::span<const PartialRow> parts, int64_t dim, float* out) {
  constexpr float kMinusInfinity = -std::numeric_limits<float>::infinity();
  float max = kMinusInfinity;
  for (const PartialRow& part : parts) max = std::max(max, part.max);
  const float reference = max == kMinusInfinity ? 0.0f : max;
  float sum = 0.0f;
  std::fill_n(out, dim, 0.0f);
  for (const PartialRow& part : parts) {
    const float factor = std::exp(part.max - reference);
    // A maximum may have passed over a NaN; the sum has not. Otherwise the
    // output of a part that weighs nothing may hold what is not finite.
    if (factor == 0.0f && !std::isnan(part.sum)) continue;
    sum += factor * part.sum;
    for (int64_t c = 0; c < dim; ++c) out[c] += factor * part.out[c];
  }
  if (sum == 0.0f) return kMinusInfinity;
  for (int64_t c = 0; c < dim; ++c) out[c] /= sum;
  return reference + std::log(sum);
}

}  // namespace keylens::internal
