// Lines 14 to 19, 22 and 24: scores and values of every size, infinities and
// NaN, and changes of the scores.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <keylens/attention.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <vector>

#include "tests/attention/closeness.h"
#include "tests/attention/edge_case.h"
#include "tests/attention/matches_oracle.h"

namespace keylens {
namespace {

constexpr int64_t kQueries = 29;
constexpr int64_t kKeys = 83;
constexpr AttentionShape kShape = {1, 3, 3, kQueries, kKeys, 11, 7};

// One head whose score of query i and key j is exactly a_i * b_j.
AttentionCase WithScores(const std::vector<float>& query_factor,
                         const std::vector<float>& key_factor) {
  const auto queries = static_cast<int64_t>(query_factor.size());
  const auto keys = static_cast<int64_t>(key_factor.size());
  AttentionCase attention({1, 1, 1, queries, keys, 1, 5});
  std::size_t i = 0, j = 0;
  attention.query.Fill([&] { return query_factor[i++]; });
  attention.key.Fill([&] { return key_factor[j++]; });
  attention.options.scale = 1;
  return attention;
}

std::vector<float> WeightsOf(const AttentionCase& attention) {
  Statistics statistics(attention, 3);
  const Inspection view = statistics.View();
  Forward(attention, &view);
  return statistics.weights.Values();
}

TEST_P(EdgeCase, L14_AllScoresHugeAndNegative) {
  AttentionCase attention =
      WithScores(std::vector<float>(9, -1e5f), std::vector<float>(kKeys, 1));
  ExpectMatchesOracle(attention);
  for (const float weight : WeightsOf(attention)) {
    EXPECT_FLOAT_EQ(weight, 1.0f / kKeys);
  }
}

TEST_P(EdgeCase, L14_HugeScoresWithOneLargerByTen) {
  std::vector<float> keys(kKeys, 1000);
  keys[60] = 1001;
  AttentionCase attention = WithScores(std::vector<float>(9, 10), keys);
  ExpectMatchesOracle(attention);
  const double ratio = std::exp(-10.0);
  const double total = 1 + (kKeys - 1) * ratio;
  const auto weights = WeightsOf(attention);
  for (int64_t j = 0; j < kKeys; ++j) {
    const double wanted = (j == 60 ? 1 : ratio) / total;
    EXPECT_NEAR(weights[j], wanted, 1e-6 * wanted);
  }
}

TEST_P(EdgeCase, L14_NoFiniteScoreIsTakenForMinusInfinity) {
  for (const float lowest : {-1e30f, -3e38f}) {
    AttentionCase attention =
        WithScores(std::vector<float>(3, lowest), std::vector<float>(kKeys, 1));
    for (const float weight : WeightsOf(attention)) {
      EXPECT_FLOAT_EQ(weight, 1.0f / kKeys);
    }
    EXPECT_THAT(Forward(attention).logsumexp.Values(),
                ::testing::Each(::testing::FloatEq(lowest)));
  }
}

// Expects query `poisoned` of head 0 to be NaN in out, weights and logsumexp,
// and every other row of every head to have the bits it has in `clean`.
void ExpectOnlyOneRowIsNan(const AttentionCase& attention,
                           const AttentionCase& clean, int64_t poisoned) {
  Statistics statistics(attention, 3), clean_statistics(clean, 3);
  const Inspection view = statistics.View();
  const Inspection clean_view = clean_statistics.View();
  const ForwardResult forward = Forward(attention, &view);
  const ForwardResult wanted = Forward(clean, &clean_view);
  const auto expect = [&](const auto& actual, const auto& right,
                          int64_t length) {
    for (int64_t row = 0; row < kShape.num_heads * kQueries; ++row) {
      const auto values = RowOf(actual.Values(), row, length);
      if (row == poisoned) {
        EXPECT_TRUE(IsNan(values)) << "row " << row;
      } else {
        EXPECT_TRUE(SameBits(values, RowOf(right.Values(), row, length)))
            << "row " << row;
      }
    }
  };
  expect(forward.out, wanted.out, kShape.value_dim);
  expect(forward.logsumexp, wanted.logsumexp, 1);
  expect(statistics.weights, clean_statistics.weights, kKeys);
  expect(statistics.entropy, clean_statistics.entropy, 1);
  ExpectMatchesOracle(attention);
}

// Only key 70 has a component where query 12 is huge.
TEST_P(EdgeCase, L15_AScoreThatOverflows) {
  AttentionCase clean(kShape);
  for (int64_t j = 0; j < kKeys; ++j) clean.key({0, 0, j, 4}) = 0;
  clean.key({0, 0, 70, 4}) = 8;
  AttentionCase attention = clean;
  attention.query({0, 0, 12, 4}) = 3e38f;
  ExpectOnlyOneRowIsNan(attention, clean, 12);
}

TEST_P(EdgeCase, L15_ABiasOfPlusInfinity) {
  AttentionCase clean(kShape), attention(kShape);
  Buffer<float, 4> finite({1, 3, kQueries, kKeys}), infinite = finite;
  finite.Fill([] { return 0.25f; });
  infinite.Fill([] { return 0.25f; });
  infinite({0, 0, 5, 40}) = kInf;
  const auto finite_bias = AdditiveBias(finite.view());
  const auto infinite_bias = AdditiveBias(infinite.view());
  clean.options.score_mods = {finite_bias.get()};
  attention.options.score_mods = {infinite_bias.get()};
  ExpectOnlyOneRowIsNan(attention, clean, 5);
}

TEST_P(EdgeCase, L16_NanInAQueryStaysInItsRow) {
  const AttentionCase clean(kShape);
  AttentionCase attention(kShape);
  attention.query({0, 0, 17, 4}) = kNan;
  ExpectOnlyOneRowIsNan(attention, clean, 17);
}

// Fills the keys and values of places that no query may see.
void Poison(AttentionCase& attention,
            const std::function<bool(int64_t)>& hidden) {
  const float poisons[3] = {kNan, kInf, -kInf};
  ForEachIndex<4>(attention.key.view().shape, [&](const auto& index) {
    if (hidden(index[2])) attention.key(index) = poisons[index[2] % 3];
  });
  ForEachIndex<4>(attention.value.view().shape, [&](const auto& index) {
    if (hidden(index[2])) attention.value(index) = poisons[(index[2] + 1) % 3];
  });
}

// Expects the poison to change no bit of any result.
void ExpectUnharmed(const AttentionCase& attention,
                    const AttentionCase& clean) {
  ForwardResult actual = Forward(attention);
  ForwardResult wanted = Forward(clean);
  EXPECT_TRUE(SameBits(actual.out.Values(), wanted.out.Values()));
  EXPECT_TRUE(SameBits(actual.logsumexp.Values(), wanted.logsumexp.Values()));
  const Gradients grad = Backward(attention, actual);
  const Gradients wanted_grad = Backward(clean, wanted);
  EXPECT_TRUE(SameBits(grad.query.Values(), wanted_grad.query.Values()));
  EXPECT_TRUE(SameBits(grad.key.Values(), wanted_grad.key.Values()));
  EXPECT_TRUE(SameBits(grad.value.Values(), wanted_grad.value.Values()));
  ExpectMatchesOracle(attention);
}

TEST_P(EdgeCase, L16_NothingInAMaskedKeyOrValueCounts) {
  AttentionCase clean(kShape), attention(kShape);
  const auto hidden = [](int64_t j) { return j % 7 == 3 || j >= 70; };
  const RuleMask mask(kQueries, kKeys,
                      [&](int64_t, int64_t j) { return !hidden(j); });
  clean.options.mask = attention.options.mask = mask.get();
  Poison(attention, hidden);
  ExpectUnharmed(attention, clean);
}

TEST_P(EdgeCase, L16_NothingBehindPaddingCounts) {
  AttentionCase clean(kShape), attention(kShape);
  const auto padding = KeyPaddingMask({37});
  clean.options.mask = attention.options.mask = padding.get();
  Poison(attention, [](int64_t j) { return j >= 37; });
  ExpectUnharmed(attention, clean);
}

TEST_P(EdgeCase, L16_NothingInTheFutureCounts) {
  AttentionCase clean(kShape), attention(kShape);
  const auto causal = CausalMask(CausalAlignment::kTopLeft);
  clean.options.mask = attention.options.mask = causal.get();
  Poison(attention, [](int64_t j) { return j >= kQueries; });
  ExpectUnharmed(attention, clean);
}

TEST_P(EdgeCase, L16_NothingInAnotherDocumentCounts) {
  AttentionCase clean(kShape), attention(kShape);
  std::vector<int32_t> keys(kKeys, 1);
  std::fill(keys.begin() + 20, keys.begin() + 50, 2);
  const auto documents = DocumentMask(std::vector<int32_t>(kQueries, 1), keys);
  clean.options.mask = attention.options.mask = documents.get();
  Poison(attention, [](int64_t j) { return j >= 20 && j < 50; });
  ExpectUnharmed(attention, clean);
}

TEST_P(EdgeCase, L16_NanInALiveKeyReachesTheRowsThatSeeIt) {
  AttentionCase clean(kShape), attention(kShape);
  const auto causal = CausalMask(CausalAlignment::kTopLeft);
  clean.options.mask = attention.options.mask = causal.get();
  attention.key({0, 1, 20, 0}) = kNan;
  ExpectForwardMatchesOracle(attention);
  ForwardResult forward = Forward(attention), wanted = Forward(clean);
  for (int64_t i = 0; i < kQueries; ++i) {
    const auto row =
        RowOf(forward.out.Values(), kQueries + i, kShape.value_dim);
    EXPECT_EQ(IsNan(row), i >= 20) << "query " << i;
  }
  // The gradients of all that such a row sees are NaN; other heads are
  // unharmed.
  Gradients grad = Backward(attention, forward);
  Gradients wanted_grad = Backward(clean, wanted);
  EXPECT_TRUE(std::isnan(grad.query({0, 1, 20, 3})));
  EXPECT_TRUE(std::isnan(grad.key({0, 1, 20, 3})));
  EXPECT_TRUE(std::isnan(grad.value({0, 1, 3, 3})));
  ForEachIndex<4>(grad.key.view().shape, [&](const auto& index) {
    if (index[1] == 1) return;
    EXPECT_EQ(grad.key(index), wanted_grad.key(index));
  });
  EXPECT_EQ(grad.query({0, 1, 19, 3}), wanted_grad.query({0, 1, 19, 3}));
}

// A score of exactly 200 below the largest: e^-200 is 0 in float.
TEST_P(EdgeCase, L17_InfinityWithAWeightOfZeroCountsForNothing) {
  for (const int64_t heavy : {int64_t{82}, int64_t{0}, int64_t{40}}) {
    std::vector<float> keys(kKeys, 0);
    keys[heavy] = 200;
    AttentionCase attention = WithScores(std::vector<float>(5, 1), keys);
    for (int64_t j = 0; j < kKeys; ++j) {
      if (j != heavy) attention.value({0, 0, j, j % 5}) = j % 2 ? kInf : -kInf;
    }
    ExpectMatchesOracle(attention);
    const auto out = Forward(attention).out.Values();
    for (int64_t d = 0; d < 5; ++d) {
      EXPECT_EQ(out[d], attention.value({0, 0, heavy, d}));
    }
  }
}

// The same where the heavy key comes hundreds of keys later, so that the
// infinite values were met while they still had a weight.
TEST_P(EdgeCase, L17_InfinityWhoseWeightUnderflowsLater) {
  constexpr int64_t kLong = 1500;
  std::vector<float> keys(kLong, 0);
  keys[kLong - 1] = 200;
  AttentionCase attention = WithScores(std::vector<float>(5, 1), keys);
  attention.value({0, 0, 0, 1}) = kInf;
  attention.value({0, 0, 700, 2}) = -kInf;
  ExpectMatchesOracle(attention);
  const auto out = Forward(attention).out.Values();
  for (int64_t d = 0; d < 5; ++d) {
    EXPECT_EQ(out[d], attention.value({0, 0, kLong - 1, d}));
  }
}

TEST_P(EdgeCase, L17_InfinityWithAWeightPropagates) {
  AttentionCase attention(kShape);
  attention.value({0, 1, 50, 2}) = kInf;
  attention.value({0, 1, 51, 3}) = -kInf;
  ForwardResult forward = Forward(attention);
  for (int64_t i = 0; i < kQueries; ++i) {
    EXPECT_EQ(forward.out({0, 1, i, 2}), kInf);
    EXPECT_EQ(forward.out({0, 1, i, 3}), -kInf);
    EXPECT_TRUE(std::isfinite(forward.out({0, 1, i, 1})));
    EXPECT_TRUE(std::isfinite(forward.out({0, 0, i, 2})));
  }
}

TEST_P(EdgeCase, L18_ScaleOfZeroGivesTheMean) {
  AttentionCase attention(kShape);
  const auto padding = KeyPaddingMask({50});
  attention.options.mask = padding.get();
  attention.options.scale = 0.0f;
  ExpectMatchesOracle(attention);
  ForwardResult forward = Forward(attention);
  double mean = 0;
  for (int64_t j = 0; j < 50; ++j) mean += attention.value({0, 2, j, 6}) / 50;
  for (int64_t i = 0; i < kQueries; ++i) {
    EXPECT_NEAR(forward.out({0, 2, i, 6}), mean, 1e-6);
  }
}

TEST_P(EdgeCase, L18_NegativeScale) {
  AttentionCase attention(kShape);
  attention.options.scale = -1.5f;
  ExpectMatchesOracle(attention);
}

TEST_P(EdgeCase, L18_NanScaleIsAnError) {
  AttentionCase attention(kShape);
  ForwardResult forward = Forward(attention);
  Statistics statistics(attention, 3);
  attention.options.scale = kNan;
  EXPECT_THAT(InvalidArgument([&] { Forward(attention); }),
              ::testing::StartsWith("AttentionForward: "));
  EXPECT_THAT(InvalidArgument([&] { Backward(attention, forward); }),
              ::testing::StartsWith("AttentionBackward: "));
  EXPECT_THAT(InvalidArgument([&] {
                AttentionInspect<float>(attention.Inputs(), attention.options,
                                        forward.logsumexp.view(),
                                        statistics.View());
              }),
              ::testing::StartsWith("AttentionInspect: "));
}

TEST_P(EdgeCase, L19_AllScoresEqual) {
  AttentionCase attention(kShape);
  attention.key.Fill([] { return 0.75f; });
  ExpectMatchesOracle(attention, 6);
  Statistics statistics(attention, 6);
  const Inspection view = statistics.View();
  ForwardResult forward = Forward(attention, &view);
  const auto expect_uniform = [&](const Statistics& actual) {
    for (const float weight : actual.weights.Values()) {
      EXPECT_FLOAT_EQ(weight, 1.0f / kKeys);
    }
    for (const float entropy : actual.entropy.Values()) {
      EXPECT_NEAR(entropy, std::log(kKeys), 1e-5);
    }
    const auto top_keys = actual.top_keys.Values();
    for (std::size_t n = 0; n < top_keys.size(); ++n) {
      EXPECT_EQ(top_keys[n], static_cast<int64_t>(n % 6));
    }
  };
  expect_uniform(statistics);
  Statistics after(attention, 6);
  AttentionInspect<float>(attention.Inputs(), attention.options,
                          forward.logsumexp.view(), after.View());
  expect_uniform(after);
}

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
  AttentionCase attention = WithScores(std::vector<float>(9, 3e38f), keys);
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
