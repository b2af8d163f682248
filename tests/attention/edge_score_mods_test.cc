// Lines 22 and 24: changes of the scores.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <keylens/attention.h>

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <vector>

#include "tests/attention/closeness.h"
#include "tests/attention/edge_case.h"
#include "tests/attention/edge_scores.h"
#include "tests/attention/matches_oracle.h"

namespace keylens {
namespace {

using namespace edge_scores;  // NOLINT(google-build-using-namespace)

// tanh(-inf) would be -1, and a masked score a finite one.
TEST_P(EdgeCase, L22_ASoftCapActsBeforeTheMask) {
  const auto cap = SoftCap(1.5f);
  const auto causal = CausalMask(CausalAlignment::kTopLeft);
  AttentionCase attention(kShape);
  attention.options.score_mods = {cap.get()};
  ExpectMatchesOracle(attention);
  attention.options.mask = causal.get();
  ExpectMatchesOracle(attention);
  const auto weights = WeightsOf(attention);
  for (int64_t i = 0; i < kQueries; ++i) {
    for (int64_t j = i + 1; j < kKeys; ++j) {
      EXPECT_EQ(weights[i * kKeys + j], 0);
    }
  }
}

// What a masked key holds has no effect, in the gradients neither, where the
// derivative of the cap at a NaN is a NaN.
TEST_P(EdgeCase, L22_NothingBehindAMaskIsUncapped) {
  const auto cap = SoftCap(1.5f);
  const auto padding = KeyPaddingMask({37});
  AttentionCase clean(kShape), attention(kShape);
  clean.options.mask = attention.options.mask = padding.get();
  clean.options.score_mods = attention.options.score_mods = {cap.get()};
  Poison(attention, [](int64_t j) { return j >= 37; });
  ExpectUnharmed(attention, clean);
}

// A bias of -inf masks after the cap and not before it.
TEST_P(EdgeCase, L22_ABiasThatMasksComesAfterTheCap) {
  const auto cap = SoftCap(1.5f);
  const RuleBias bias(kQueries, kKeys,
                      [](int64_t, int64_t j) { return j == 7 ? -kInf : 0.0f; });
  AttentionCase attention(kShape);
  attention.options.score_mods = {cap.get(), bias.get()};
  ExpectMatchesOracle(attention);
  EXPECT_EQ(WeightsOf(attention)[7], 0);
  attention.options.score_mods = {bias.get(), cap.get()};
  ExpectMatchesOracle(attention);
  EXPECT_GT(WeightsOf(attention)[7], 0);
}

// A score of +inf is a score like any other once it is capped.
TEST_P(EdgeCase, L22_AScoreOfInfinityBecomesTheCap) {
  std::vector<float> keys(kKeys, 0);
  keys[60] = 10;
  keys[61] = -10;
  AttentionCase attention = WithScores(std::vector<float>(9, 1), keys, 3e38f);
  const auto cap = SoftCap(2);
  attention.options.score_mods = {cap.get()};
  ExpectMatchesOracle(attention);
  const double total = std::exp(2.0) + std::exp(-2.0) + (kKeys - 2);
  const auto weights = WeightsOf(attention);
  for (int64_t j = 0; j < kKeys; ++j) {
    const double score = j == 60 ? 2 : j == 61 ? -2 : 0;
    EXPECT_NEAR(weights[j], std::exp(score) / total, 1e-6);
  }
}

TEST_P(EdgeCase, L22_ANanStaysANanUnderTheCap) {
  const auto cap = SoftCap(1.5f);
  AttentionCase clean(kShape);
  clean.options.score_mods = {cap.get()};
  AttentionCase attention = clean;
  attention.query({0, 0, 12, 4}) = kNan;
  ExpectOnlyOneRowIsNan(attention, clean, 12);
}

TEST(EdgeCaseErrors, L22_ACapOfZeroOrLessIsAnError) {
  for (const float cap : {0.0f, -0.0f, -3.0f, -kInf, kNan}) {
    EXPECT_THAT(InvalidArgument([&] { SoftCap(cap); }),
                ::testing::StartsWith("SoftCap: cap is "));
  }
}

// Expects the slopes of that many heads to bias them like a dense matrix.
void ExpectAlibi(int64_t num_heads, const std::vector<double>& slopes) {
  AttentionCase attention({2, num_heads, 3, kQueries, kKeys, 11, 7});
  const auto alibi = AlibiBias(AlibiSlopes(num_heads));
  Buffer<float, 4> dense({1, num_heads, kQueries, kKeys});
  ForEachIndex<4>(dense.view().shape, [&](const auto& index) {
    const int64_t distance = std::abs(index[2] + kKeys - kQueries - index[3]);
    dense(index) =
        static_cast<float>(-slopes[index[1]]) * static_cast<float>(distance);
  });
  const auto bias = AdditiveBias(dense.view());
  attention.options.score_mods = {alibi.get()};
  ExpectMatchesOracle(attention);
  const auto out = Forward(attention).out.Values();
  attention.options.score_mods = {bias.get()};
  EXPECT_TRUE(SameBits(Forward(attention).out.Values(), out));
}

TEST_P(EdgeCase, L24_AlibiForAnyNumberOfHeads) {
  ExpectAlibi(3, {0x1p-4, 0x1p-8, 0x1p-2});
  ExpectAlibi(6, {0x1p-2, 0x1p-4, 0x1p-6, 0x1p-8, 0x1p-1, 0x1p-3});
  const double root = std::sqrt(2.0);
  ExpectAlibi(12,
              {0x1p-1, 0x1p-2, 0x1p-3, 0x1p-4, 0x1p-5, 0x1p-6, 0x1p-7, 0x1p-8,
               root * 0x1p-1, root * 0x1p-2, root * 0x1p-3, root * 0x1p-4});
}

TEST_P(EdgeCase, L24_SlopesForAnotherNumberOfHeadsAreAnError) {
  const auto alibi = AlibiBias(AlibiSlopes(2));
  AttentionCase attention(kShape);
  attention.options.score_mods = {alibi.get()};
  EXPECT_THAT(InvalidArgument([&] { Forward(attention); }),
              ::testing::StartsWith(
                  "AttentionForward: slopes has 2 entries for 3 heads"));
}

}  // namespace
}  // namespace keylens
