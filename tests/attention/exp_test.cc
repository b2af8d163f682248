// Line 27: the exponential function, for every instruction set.

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "tests/attention/exp_test.cc"
#include <gtest/gtest.h>
#include <hwy/foreach_target.h>  // before the headers that are compiled for each

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "src/attention/tile/exp-inl.h"
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

// Whether `actual` will do for e^x: NaN for NaN, within 2 ulp where the result
// is normal, less than any normal number below. Beyond kLargest nobody asks.
constexpr float kLargest = 88.37f;
bool WillDo(float actual, float x) {
  if (std::isnan(x)) return std::isnan(actual);
  if (x > kLargest) return true;
  constexpr float kSmallestNormal = std::numeric_limits<float>::min();
  if (std::exp(static_cast<double>(x)) < kSmallestNormal) {
    return actual >= 0 && actual <= kSmallestNormal;
  }
  return UlpsOff(actual, x) <= 2.0;
}

// Of all 2^32 floats, those with the bits 0, step, 2 step, ...
void ExpectExact(uint64_t step) {
  constexpr uint64_t kEnd = uint64_t{1} << 32;
  std::vector<float> block(4096);
  for (uint64_t bits = 0; bits < kEnd;) {
    for (float& x : block) {
      x = std::bit_cast<float>(static_cast<uint32_t>(bits % kEnd));
      bits += step;
    }
    const std::vector<float> exponentials = Exponentials(block);
    for (std::size_t i = 0; i < block.size(); ++i) {
      ASSERT_TRUE(WillDo(exponentials[i], block[i]))
          << "e^" << block[i] << " is not " << exponentials[i];
    }
  }
}

// Small magnitudes have the most floats: a step that misses none of the
// exponents and, being odd, no pattern of last bits.
TEST_P(ExpTest, L27_WithinTwoUlps) { ExpectExact(1009); }

// Takes minutes: run with --gtest_also_run_disabled_tests.
TEST_P(ExpTest, DISABLED_L27_EveryFloatWithinTwoUlps) { ExpectExact(1); }

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
