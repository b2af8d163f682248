// Lines 14 to 19: scores and values of every size, infinities and NaN.

#include "tests/attention/edge_scores.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <keylens/attention.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "tests/attention/closeness.h"
#include "tests/attention/edge_case.h"
#include "tests/attention/element.h"
#include "tests/attention/matches_oracle.h"

namespace keylens {
namespace {

using namespace edge_scores;  // NOLINT(google-build-using-namespace)

TEST_P(EdgeCase, L14_AllScoresHugeAndNegative) {
  AttentionCase attention =
      WithScores(std::vector<float>(9, -1), std::vector<float>(kKeys, 1), 1e5f);
  ExpectMatchesOracle(attention);
  for (const float weight : WeightsOf(attention)) {
    EXPECT_FLOAT_EQ(weight, 1.0f / kKeys);
  }
}

TEST_P(EdgeCase, L14_HugeScoresWithOneLargerByTen) {
  AttentionCase attention({1, 1, 1, 9, kKeys, 2, 5});
  attention.options.scale = 10;
  attention.query.Fill([] { return 1.0f; });
  for (int64_t j = 0; j < kKeys; ++j) {
    attention.key({0, 0, j, 0}) = 1000;
    attention.key({0, 0, j, 1}) = j == 60 ? 1.0f : 0.0f;
  }
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
    AttentionCase attention = WithScores(std::vector<float>(3, 1),
                                         std::vector<float>(kKeys, 1), lowest);
    for (const float weight : WeightsOf(attention)) {
      EXPECT_FLOAT_EQ(weight, 1.0f / kKeys);
    }
    EXPECT_THAT(Forward(attention).logsumexp.Values(),
                ::testing::Each(::testing::FloatEq(lowest)));
  }
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

// So few queries are decoded, and of so few keys some lanes are empty.
TEST_P(EdgeCase, L16_NanInAQueryOfShortCalls) {
  for (const int64_t query_len : {1, 3, 9}) {
    for (int64_t kv_len = 1; kv_len < 20; ++kv_len) {
      const AttentionShape shape = {1, 1, 1, query_len, kv_len, 5, 3};
      AttentionCase attention(shape);
      attention.query({0, 0, query_len - 1, 2}) = kNan;
      ExpectForwardMatchesOracle(attention, 1);
      const ForwardResult forward = Forward(attention);
      EXPECT_TRUE(
          IsNan(RowOf(forward.out.Values(), query_len - 1, shape.value_dim)))
          << query_len << " x " << kv_len;
      EXPECT_TRUE(std::isnan(forward.logsumexp.Values().back()));
    }
  }
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
    EXPECT_NEAR(forward.out({0, 2, i, 6}), mean, 1e-6 + RoundingOf(1));
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
  EXPECT_THAT(
      InvalidArgument([&] { Inspect(attention, forward, statistics.View()); }),
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
  Inspect(attention, forward, after.View());
  expect_uniform(after);
}

}  // namespace
}  // namespace keylens
