#include <bit>
#include <cstdint>

#include "src/checkpoint/safetensors.h"

namespace keylens {
namespace {

constexpr uint32_t kSignBit = 0x80000000u;
constexpr uint32_t kFloatInfinity = 0x7F800000u;
constexpr int kMantissaDifference = 23 - 10;  // float32's bits less float16's

// value / 2^shift, to the nearest, ties to even; shift from 1 to 31.
uint32_t ShiftRounding(uint32_t value, int shift) {
  const uint32_t half = (1u << (shift - 1)) - 1;
  const uint32_t odd = (value >> shift) & 1;
  return (value + half + odd) >> shift;
}

// float16's bits for a magnitude below 2^-14, the smallest normal one: a count
// of 2^-24.
uint32_t SubnormalHalf(uint32_t magnitude) {
  constexpr uint32_t kHalfOfSmallest = 0x33000000u;  // 2^-25, which ties to 0
  if (magnitude <= kHalfOfSmallest) return 0;
  const int exponent = static_cast<int>(magnitude >> 23) - 127;
  const uint32_t mantissa = (magnitude & 0x7FFFFFu) | 0x800000u;
  return ShiftRounding(mantissa,
                       -1 - exponent);  // mantissa * 2^(exponent - 23) / 2^-24
}

}  // namespace

uint16_t Float16FromFloat(float value) {
  constexpr uint32_t kSmallestNormal = 0x38800000u;  // 2^-14
  constexpr uint32_t kOverflow =
      0x477FF000u;  // 65520, halfway past the largest, ties to infinity
  const auto bits = std::bit_cast<uint32_t>(value);
  const uint32_t sign = (bits & kSignBit) >> 16;
  const uint32_t magnitude = bits & ~kSignBit;
  uint32_t half = 0;
  if (magnitude > kFloatInfinity) {
    half = 0x7E00u | ((magnitude >> kMantissaDifference) &
                      0x3FFu);  // quiet, the payload's upper bits
  } else if (magnitude >= kOverflow) {
    half = 0x7C00u;
  } else if (magnitude >= kSmallestNormal) {
    half = ShiftRounding(magnitude - ((127u - 15u) << 23), kMantissaDifference);
  } else {
    half = SubnormalHalf(magnitude);
  }
  return static_cast<uint16_t>(sign | half);
}

float FloatFromFloat16(uint16_t bits) {
  const uint32_t sign = (uint32_t{bits} & 0x8000u) << 16;
  const uint32_t magnitude = uint32_t{bits} & 0x7FFFu;
  if (magnitude >= 0x7C00u) {
    return std::bit_cast<float>(sign | kFloatInfinity |
                                ((magnitude & 0x3FFu) << kMantissaDifference));
  }
  if (magnitude < 0x400u) {
    const float value = static_cast<float>(magnitude) * 0x1p-24f;
    return sign != 0 ? -value : value;
  }
  return std::bit_cast<float>(
      sign | ((magnitude << kMantissaDifference) + ((127u - 15u) << 23)));
}

uint16_t BFloat16FromFloat(float value) {
  const auto bits = std::bit_cast<uint32_t>(value);
  const bool is_nan = (bits & ~kSignBit) > kFloatInfinity;
  if (is_nan) return static_cast<uint16_t>((bits >> 16) | 0x40u);  // quiet
  const uint32_t odd = (bits >> 16) & 1;
  return static_cast<uint16_t>((bits + 0x7FFFu + odd) >> 16);
}

float FloatFromBFloat16(uint16_t bits) {
  return std::bit_cast<float>(uint32_t{bits} << 16);
}

}  // namespace keylens
