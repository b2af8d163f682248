#ifndef KEYLENS_SRC_BASE_FINITE_H_
#define KEYLENS_SRC_BASE_FINITE_H_

#include <bit>
#include <cstdint>
#include <span>
#include <string>

#include "src/base/error.h"

namespace keylens {

// Whether no value is NaN or infinite. One pass without branches: compilers
// make vectors of it.
inline bool AllFinite(std::span<const float> values) {
  constexpr uint32_t kExponent = 0x7F800000u;
  bool finite = true;
  for (const float value : values)
    finite &= (std::bit_cast<uint32_t>(value) & kExponent) != kExponent;
  return finite;
}

// Throws Error unless what a network gave is numbers. Weights are checked as
// they are loaded; sums of them can still overflow.
inline void CheckResult(std::span<const float> values, const char* network) {
  if (AllFinite(values)) return;
  throw Error(std::string("the ") + network +
              "'s result is NaN or infinite: its weights do not belong "
              "together, or are those of a training that diverged");
}

}  // namespace keylens

#endif  // KEYLENS_SRC_BASE_FINITE_H_
