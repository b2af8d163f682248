#include <gtest/gtest.h>
#include <keylens/score_mod.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <vector>

#include "tests/attention/every_target.h"
#include "tests/score_mod/mod_testing.h"

namespace keylens {
namespace {

constexpr float kInf = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

class SoftCapTest : public OnEveryTarget {};
INSTANTIATE_TEST_SUITE_P(, SoftCapTest, EveryTarget(), TargetName);

// A tile of one row.
ScoreTile RowOf(std::vector<float>& values) {
  const auto length = static_cast<int64_t>(values.size());
  return {values.data(), length, {0, 0, 0, 1, 0, length, 1, length}};
}

std::vector<float> Capped(float cap, std::vector<float> scores) {
  SoftCap(cap)->Forward(RowOf(scores));
  return scores;
}

std::vector<float> Slopes(float cap, std::vector<float> scores) {
  std::vector<float> slopes(scores.size(), 1.0f);
  SoftCap(cap)->Backward(RowOf(scores), RowOf(slopes));
  return slopes;
}

// How far `actual` is from `exact`, in units in the last place of `exact` as a
// float.
double UlpsOff(float actual, double exact) {
  return std::abs(actual - exact) / std::ldexp(1.0, std::ilogb(exact) - 23);
}

// A score for each of the floats whose bits are `step` apart, from `first` up
// to `last`.
std::vector<float> FloatsBetween(float first, float last, uint32_t step) {
  std::vector<float> floats;
  const uint32_t end = std::bit_cast<uint32_t>(last);
  for (uint32_t bits = std::bit_cast<uint32_t>(first); bits < end;
       bits += step) {
    floats.push_back(std::bit_cast<float>(bits));
  }
  return floats;
}

TEST_P(SoftCapTest, IsCapTimesTanh) {
  for (const float cap : {0.7f, 2.0f, 30.0f}) {
    ExpectModIs(*SoftCap(cap), {2, 3, 9, 41},
                [cap](double score, int64_t, int64_t, int64_t, int64_t) {
                  return cap * std::tanh(score / cap);
                });
  }
}

// Below 2^-14 the result is the score, above 10 it is the cap.
TEST_P(SoftCapTest, IsAtMostFourUlpsOff) {
  for (const float cap : {1.0f, 30.0f, 0.3f}) {
    const auto scores = FloatsBetween(cap * 0x1p-15f, cap * 12, 101);
    const auto capped = Capped(cap, scores);
    double worst = 0, worst_slope = 0;
    const auto slopes = Slopes(cap, scores);
    for (std::size_t n = 0; n < scores.size(); ++n) {
      const double x = static_cast<double>(scores[n]) / cap;
      worst = std::max(worst, UlpsOff(capped[n], cap * std::tanh(x)));
      const double cosh = std::cosh(x);
      worst_slope =
          std::max(worst_slope, std::abs(slopes[n] * cosh * cosh - 1) * 0x1p23);
    }
    EXPECT_LE(worst, 4.0) << "cap " << cap;
    // The rounding of x = score / cap, up to 12, counts 2 x times.
    EXPECT_LE(worst_slope, 24.0) << "cap " << cap;
  }
}

TEST_P(SoftCapTest, IsOddAndRises) {
  const auto scores = FloatsBetween(0x1p-20f, 40, 997);
  std::vector<float> negative;
  for (const float score : scores) negative.push_back(-score);
  const auto capped = Capped(1.5f, scores);
  const auto mirrored = Capped(1.5f, negative);
  for (std::size_t n = 0; n < scores.size(); ++n) {
    ASSERT_EQ(mirrored[n], -capped[n]);
    ASSERT_LE(capped[n], 1.5f);
    if (n == 0) continue;
    ASSERT_GE(capped[n], std::nextafter(capped[n - 1], 0.0f));
  }
}

TEST_P(SoftCapTest, Corners) {
  const float largest = std::numeric_limits<float>::max();
  const auto capped =
      Capped(2, {kInf, -kInf, kNan, 0.0f, -0.0f, largest, -largest, 1e-42f});
  EXPECT_EQ(capped[0], 2);
  EXPECT_EQ(capped[1], -2);
  EXPECT_TRUE(std::isnan(capped[2]));
  EXPECT_EQ(capped[3], 0);
  EXPECT_EQ(capped[4], 0);
  EXPECT_EQ(capped[5], 2);
  EXPECT_EQ(capped[6], -2);
  EXPECT_EQ(capped[7], 1e-42f);
  const auto slopes = Slopes(2, {kInf, -kInf, kNan, 0.0f, largest});
  EXPECT_EQ(slopes[0], 0);
  EXPECT_EQ(slopes[1], 0);
  EXPECT_TRUE(std::isnan(slopes[2]));
  EXPECT_EQ(slopes[3], 1);
  EXPECT_EQ(slopes[4], 0);
}

// A cap far above or below every score leaves them alone, or cuts them off.
TEST_P(SoftCapTest, CapsOfAnySize) {
  const std::vector<float> scores = {1, -3, 1e-3f, 0};
  EXPECT_EQ(Capped(std::numeric_limits<float>::max(), scores), scores);
  const float smallest = std::numeric_limits<float>::min();
  EXPECT_EQ(Capped(smallest, scores),
            (std::vector<float>{smallest, -smallest, smallest, 0}));
}

// The same score has the same bits wherever it falls in a row.
TEST_P(SoftCapTest, NoPlaceInARowIsSpecial) {
  for (const float score : {0.3f, 1.1f, -7.3f}) {
    for (std::size_t length = 1; length < 40; ++length) {
      const auto capped = Capped(1.7f, std::vector<float>(length, score));
      const auto slopes = Slopes(1.7f, std::vector<float>(length, score));
      for (std::size_t n = 1; n < length; ++n) {
        ASSERT_EQ(capped[n], capped[0]);
        ASSERT_EQ(slopes[n], slopes[0]);
      }
    }
  }
}

TEST(SoftCap, RefusesWhatIsNoCap) {
  for (const float cap : {0.0f, -1.0f, kNan, kInf, -kInf}) {
    EXPECT_THROW(SoftCap(cap), std::invalid_argument) << cap;
  }
  try {
    SoftCap(-1);
  } catch (const std::invalid_argument& error) {
    EXPECT_STREQ(error.what(), "SoftCap: cap is -1.000000");
  }
}

}  // namespace
}  // namespace keylens
