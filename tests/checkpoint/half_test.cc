#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

#include "src/checkpoint/safetensors.h"

namespace keylens {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

// IEEE 754's definition of a half, apart from any bit trick.
double HalfValue(uint16_t bits) {
  const double sign = (bits & 0x8000) != 0 ? -1 : 1;
  const int exponent = (bits >> 10) & 31;
  const int mantissa = bits & 1023;
  if (exponent == 31) return mantissa != 0 ? std::nan("") : sign * kInfinity;
  if (exponent == 0) return sign * std::ldexp(mantissa, -24);
  return sign * std::ldexp(1024 + mantissa, exponent - 25);
}

double BFloatValue(uint16_t bits) {
  return std::bit_cast<float>(uint32_t{bits} << 16);
}

// The nearest of all finite values, ties to the even pattern, found by search.
uint16_t Nearest(float value, const std::vector<double>& positive,
                 double overflow) {
  const uint16_t sign = std::signbit(value) ? 0x8000 : 0;
  const double magnitude = std::abs(static_cast<double>(value));
  if (magnitude >= overflow)
    return static_cast<uint16_t>(sign |
                                 positive.size());  // the pattern of infinity
  const auto above =
      std::lower_bound(positive.begin(), positive.end(), magnitude);
  auto index = static_cast<std::size_t>(above - positive.begin());
  if (index == positive.size())
    return static_cast<uint16_t>(sign | (index - 1));
  if (index > 0) {
    const double up = positive[index] - magnitude;
    const double down = magnitude - positive[index - 1];
    if (down < up || (down == up && index % 2 == 1)) --index;
  }
  return static_cast<uint16_t>(sign | index);
}

// Every finite positive value, by its pattern.
std::vector<double> Positive(double (*value_of)(uint16_t)) {
  std::vector<double> values;
  for (uint16_t bits = 0; std::isfinite(value_of(bits)); ++bits)
    values.push_back(value_of(bits));
  return values;
}

// Floats where rounding may go wrong: each value, halfway to the next, a bit to
// either side; and random patterns.
std::vector<float> Probes(const std::vector<double>& positive) {
  std::vector<float> probes = {0.0f,
                               -0.0f,
                               kInfinity,
                               -kInfinity,
                               std::numeric_limits<float>::denorm_min(),
                               std::numeric_limits<float>::max()};
  for (std::size_t i = 0; i + 1 < positive.size(); ++i) {
    const auto value = static_cast<float>(positive[i]);
    const auto middle = static_cast<float>((positive[i] + positive[i + 1]) / 2);
    for (const float probe :
         {value, std::nextafter(value, kInfinity), middle,
          std::nextafter(middle, 0.0f), std::nextafter(middle, kInfinity)}) {
      probes.push_back(probe);
      probes.push_back(-probe);
    }
  }
  std::mt19937 random(3);
  for (int i = 0; i < 200'000; ++i) {
    const auto probe = std::bit_cast<float>(static_cast<uint32_t>(random()));
    if (!std::isnan(probe)) probes.push_back(probe);
  }
  return probes;
}

TEST(Float16, EveryPatternHasItsValue) {
  for (uint32_t bits = 0; bits < 65536; ++bits) {
    const float value = FloatFromFloat16(static_cast<uint16_t>(bits));
    const double expected = HalfValue(static_cast<uint16_t>(bits));
    if (std::isnan(expected)) {
      ASSERT_TRUE(std::isnan(value)) << bits;
    } else {
      ASSERT_EQ(value, expected) << bits;
    }
    ASSERT_EQ(std::signbit(value), (bits & 0x8000) != 0) << bits;
  }
}

TEST(Float16, EveryPatternComesBack) {
  for (uint32_t bits = 0; bits < 65536; ++bits) {
    const uint16_t back =
        Float16FromFloat(FloatFromFloat16(static_cast<uint16_t>(bits)));
    const bool is_nan = (bits & 0x7FFF) > 0x7C00;
    ASSERT_EQ(back, is_nan
                        ? bits | 0x200
                        : bits);  // a NaN becomes quiet and keeps its payload
  }
}

TEST(Float16, RoundsToTheNearestTiesToEven) {
  const std::vector<double> positive = Positive(HalfValue);
  ASSERT_EQ(positive.size(), 0x7C00u);
  for (const float probe : Probes(positive)) {
    ASSERT_EQ(Float16FromFloat(probe), Nearest(probe, positive, 65520))
        << probe;
  }
}

TEST(BFloat16, EveryPatternHasItsValueAndComesBack) {
  for (uint32_t bits = 0; bits < 65536; ++bits) {
    const float value = FloatFromBFloat16(static_cast<uint16_t>(bits));
    ASSERT_EQ(std::bit_cast<uint32_t>(value), bits << 16);
    const bool is_nan = (bits & 0x7FFF) > 0x7F80;
    ASSERT_EQ(BFloat16FromFloat(value), is_nan ? bits | 0x40 : bits);
  }
}

TEST(BFloat16, RoundsToTheNearestTiesToEven) {
  const std::vector<double> positive = Positive(BFloatValue);
  ASSERT_EQ(positive.size(), 0x7F80u);
  // Halfway between the largest finite value and what would follow it.
  const double overflow =
      positive.back() + (positive.back() - positive[positive.size() - 2]) / 2;
  for (const float probe : Probes(positive)) {
    ASSERT_EQ(BFloat16FromFloat(probe), Nearest(probe, positive, overflow))
        << probe;
  }
}

TEST(BFloat16, NanStaysNan) {
  // A NaN whose payload lies in the lower bits alone would round to infinity.
  for (const uint32_t bits :
       {0x7F800001u, 0xFF800001u, 0x7FFFFFFFu, 0xFFFFFFFFu}) {
    EXPECT_TRUE(std::isnan(
        FloatFromBFloat16(BFloat16FromFloat(std::bit_cast<float>(bits)))));
    EXPECT_TRUE(std::isnan(
        FloatFromFloat16(Float16FromFloat(std::bit_cast<float>(bits)))));
  }
}

}  // namespace
}  // namespace keylens
