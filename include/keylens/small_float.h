#ifndef KEYLENS_SMALL_FLOAT_H_
#define KEYLENS_SMALL_FLOAT_H_

#include <bit>
#include <cstdint>

// The two 16-bit floating-point formats, as elements of tensors: storage, and
// exact conversion to float; from float they round to nearest, ties to even.
// Arithmetic is done in float.

namespace keylens {

// 1 sign, 8 exponent and 7 mantissa bits: the upper half of a float.
struct BFloat16 {
  BFloat16() = default;
  explicit BFloat16(float value) : bits(Round(value)) {}
  explicit operator float() const {
    return std::bit_cast<float>(uint32_t{bits} << 16);
  }

  uint16_t bits;

 private:
  static uint16_t Round(float value) {
    const auto wide = std::bit_cast<uint32_t>(value);
    if (value != value) return static_cast<uint16_t>(wide >> 16 | 0x40);
    return static_cast<uint16_t>((wide + 0x7fff + (wide >> 16 & 1)) >> 16);
  }
};

// IEEE 754 binary16: 1 sign, 5 exponent and 10 mantissa bits.
struct Float16 {
  Float16() = default;
  explicit Float16(float value) : bits(Round(value)) {}
  explicit operator float() const { return Widen(bits); }

  uint16_t bits;

 private:
  static constexpr uint32_t kInfinity = 0x7f800000;
  static constexpr uint32_t kBiasDifference = uint32_t{127 - 15} << 23;

  static float Widen(uint16_t half) {
    const uint32_t sign = uint32_t{half} << 16 & 0x80000000;
    const uint32_t magnitude = half & 0x7fff;
    if (magnitude >= 0x7c00) {  // infinite, or NaN
      return std::bit_cast<float>(sign | kInfinity | magnitude << 13);
    }
    if (magnitude < 0x400) {  // a multiple of 2^-24
      const float value = static_cast<float>(magnitude) * 0x1p-24f;
      return sign != 0 ? -value : value;
    }
    return std::bit_cast<float>(sign | ((magnitude << 13) + kBiasDifference));
  }

  static uint16_t Round(float value) {
    const auto wide = std::bit_cast<uint32_t>(value);
    const auto sign = static_cast<uint16_t>(wide >> 16 & 0x8000);
    return static_cast<uint16_t>(sign | RoundMagnitude(wide & 0x7fffffff));
  }

  static uint32_t RoundMagnitude(uint32_t wide) {
    constexpr uint32_t kOverflows = 0x477ff000;  // 65520 and above
    constexpr uint32_t kNormal = 0x38800000;     // 2^-14 and above
    if (wide > kInfinity) return 0x7e00 | (wide >> 13 & 0x3ff);
    if (wide >= kOverflows) return 0x7c00;
    if (wide < kNormal) {
      // Beside 0.5, whose last bit is 2^-24, the addition does the rounding.
      const float sum = std::bit_cast<float>(wide) + 0.5f;
      return std::bit_cast<uint32_t>(sum) - std::bit_cast<uint32_t>(0.5f);
    }
    return (wide - kBiasDifference + 0xfff + (wide >> 13 & 1)) >> 13;
  }
};

static_assert(sizeof(BFloat16) == 2 && sizeof(Float16) == 2);

}  // namespace keylens

#endif  // KEYLENS_SMALL_FLOAT_H_
