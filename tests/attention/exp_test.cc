// Line 27: the exponential function, for every instruction set.

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "tests/attention/exp_test.cc"
#include <gtest/gtest.h>
#include <hwy/foreach_target.h>  // before the headers that are compiled for each

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "src/attention/exp-inl.h"
#include "tests/attention/every_target.h"

HWY_BEFORE_NAMESPACE();
namespace keylens::internal::HWY_NAMESPACE {

// Replaces each number by its exponential. There is a whole number of vectors
// of any width.
void Exponentiate(std::vector<float>& values) {
  const FloatTag d;
  for (std::size_t i = 0; i < values.size(); i += kLanes) {
    hn::StoreU(Exp(hn::LoadU(d, values.data() + i)), d, values.data() + i);
  }
}

}  // namespace keylens::internal::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace keylens::internal {
namespace {

HWY_EXPORT(Exponentiate);

class ExpTest : public OnEveryTarget {};
INSTANTIATE_TEST_SUITE_P(, ExpTest, EveryTarget(), TargetName);

constexpr float kInf = std::numeric_limits<float>::infinity();

std::vector<float> Exponentials(std::vector<float> values) {
  HWY_DYNAMIC_DISPATCH(Exponentiate)(values);
  return values;
}

// How far `actual` is from e^x, in units in the last place of e^x as a float.
double UlpsOff(float actual, float x) {
  const double exact = std::exp(static_cast<double>(x));
  return std::abs(actual - exact) / std::ldexp(1.0, std::ilogb(exact) - 23);
}

// Expects the floats with the bits from `first` to `last`, a step apart, to
// have exponentials within 2 ulp.
void ExpectExact(float first, float last, uint32_t step) {
  const uint64_t end = std::bit_cast<uint32_t>(last);
  double worst = 0;
  float worst_x = 0;
  std::vector<float> block(4096);
  for (uint64_t bits = std::bit_cast<uint32_t>(first); bits <= end;) {
    for (float& x : block) {
      x = bits <= end ? std::bit_cast<float>(static_cast<uint32_t>(bits))
                      : first;
      bits += step;
    }
    const std::vector<float> exponentials = Exponentials(block);
    for (std::size_t i = 0; i < block.size(); ++i) {
      const double off = UlpsOff(exponentials[i], block[i]);
      if (off <= worst) continue;
      worst = off;
      worst_x = block[i];
    }
  }
  EXPECT_LE(worst, 2.0) << "e^" << worst_x;
  ::testing::Test::RecordProperty("worst_ulps", std::to_string(worst));
}

// Where the result is normal: x from ln(2^-126) to 88. Nearly all the weight
// is between -20 and 0; small magnitudes have the most floats.
TEST_P(ExpTest, L27_WithinTwoUlps) {
  ExpectExact(-1e-3f, -1.0f, 97);
  ExpectExact(-1.0f, -87.336f, 29);
  ExpectExact(-0.0f, -1e-3f, 2003);
  ExpectExact(0.0f, 1e-3f, 2003);
  ExpectExact(1e-3f, 88.0f, 211);
}

TEST_P(ExpTest, L27_Corners) {
  std::vector<float> values(64, 0.0f);
  values[1] = -kInf;
  values[2] = -1e30f;
  values[3] = -200;
  values[4] = std::numeric_limits<float>::quiet_NaN();
  values[5] = -0.0f;
  values[6] = std::numeric_limits<float>::lowest();
  const std::vector<float> exponentials = Exponentials(values);
  EXPECT_EQ(exponentials[0], 1);
  EXPECT_EQ(exponentials[1], 0);
  EXPECT_EQ(exponentials[2], 0);
  EXPECT_EQ(exponentials[3], 0);
  EXPECT_TRUE(std::isnan(exponentials[4]));
  EXPECT_EQ(exponentials[5], 1);
  EXPECT_EQ(exponentials[6], 0);
}

// The result does not depend on the lane.
TEST_P(ExpTest, L27_TheSameBitsInEveryLane) {
  for (float x = -30; x < 1; x += 0.37f) {
    for (const float result : Exponentials(std::vector<float>(64, x))) {
      ASSERT_EQ(result, Exponentials(std::vector<float>(64, x))[0]);
    }
  }
}

// A larger score never has a smaller weight.
TEST_P(ExpTest, L27_NeverFalls) {
  std::vector<float> values;
  for (int i = 0; i < 64 * 5000; ++i) {
    values.push_back(static_cast<float>(i) * 2.5e-4f - 80);
  }
  const std::vector<float> exponentials = Exponentials(values);
  for (std::size_t i = 1; i < values.size(); ++i) {
    ASSERT_LE(exponentials[i - 1], exponentials[i]) << values[i];
  }
}

}  // namespace
}  // namespace keylens::internal
#endif  // HWY_ONCE
