#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <keylens/score_mod.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "tests/score_mod/mod_testing.h"

namespace keylens {
namespace {

using ::testing::ElementsAre;
using ::testing::FloatEq;

TEST(AlibiBias, SubtractsTheSlopeTimesTheDistance) {
  const std::vector<float> slopes = {0.5f, 0.03f, -1.25f};
  const auto mod = AlibiBias(slopes);
  for (const auto& [queries, keys] :
       {std::pair{13, 13}, {9, 41}, {41, 9}, {1, 16}}) {
    const int64_t shift = keys - queries;
    ExpectModIs(*mod, {2, 3, queries, keys},
                [&](double score, int64_t, int64_t h, int64_t i, int64_t j) {
                  return score - slopes[h] * std::abs(i + shift - j);
                });
  }
}

TEST(AlibiBias, CountsBeyond32Bits) {
  const int64_t far = int64_t{1} << 40;
  const auto mod = AlibiBias({1.0f});
  float score = 0;
  mod->Forward({&score, 1, {0, 0, far, 1, far * 3, 1, far * 2, far * 4}});
  EXPECT_EQ(score, 0);
  mod->Forward({&score, 1, {0, 0, far, 1, 0, 1, far * 2, far * 4}});
  EXPECT_EQ(score, -3 * static_cast<float>(far));
}

TEST(AlibiBias, NeedsNoScoresToGoBack) {
  EXPECT_FALSE(AlibiBias({1.0f})->BackwardReadsScores());
}

TEST(AlibiBias, WantsASlopeForEachHead) {
  const auto mod = AlibiBias({0.5f, 0.25f});
  EXPECT_EQ(mod->Misfit({9, 2, 5, 5}), "");
  EXPECT_EQ(mod->Misfit({9, 3, 5, 5}), "slopes has 2 entries for 3 heads");
}

TEST(AlibiBias, RefusesASlopeThatIsNoNumber) {
  EXPECT_THROW(AlibiBias({std::numeric_limits<float>::infinity()}),
               std::invalid_argument);
  try {
    AlibiBias({1, std::numeric_limits<float>::quiet_NaN()});
    FAIL() << "no error";
  } catch (const std::invalid_argument& error) {
    EXPECT_EQ(std::string(error.what()), "AlibiBias: slopes[1] is nan");
  }
}

TEST(AlibiSlopes, OfPowersOfTwo) {
  EXPECT_THAT(AlibiSlopes(0), ElementsAre());
  EXPECT_THAT(AlibiSlopes(1), ElementsAre(1.0f / 256));
  EXPECT_THAT(AlibiSlopes(4),
              ElementsAre(1.0f / 4, 1.0f / 16, 1.0f / 64, 1.0f / 256));
  EXPECT_THAT(AlibiSlopes(8),
              ElementsAre(0.5f, 0.25f, 0.125f, 0.0625f, 0.03125f, 0.015625f,
                          0.0078125f, 0.00390625f));
}

// What the authors' code gives for 3, 6 and 12 heads.
TEST(AlibiSlopes, OfOtherCounts) {
  const float root = std::sqrt(2.0f);
  EXPECT_THAT(AlibiSlopes(3), ElementsAre(1.0f / 16, 1.0f / 256, 1.0f / 4));
  EXPECT_THAT(AlibiSlopes(6), ElementsAre(1.0f / 4, 1.0f / 16, 1.0f / 64,
                                          1.0f / 256, 1.0f / 2, 1.0f / 8));
  EXPECT_THAT(
      AlibiSlopes(12),
      ElementsAre(0.5f, 0.25f, 0.125f, 0.0625f, 0.03125f, 0.015625f, 0.0078125f,
                  0.00390625f, FloatEq(root / 2), FloatEq(root / 4),
                  FloatEq(root / 8), FloatEq(root / 16)));
}

TEST(AlibiSlopes, RefusesANegativeCount) {
  EXPECT_THROW(AlibiSlopes(-1), std::invalid_argument);
}

}  // namespace
}  // namespace keylens
