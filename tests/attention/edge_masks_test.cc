// Lines 11 to 13, 23 and 25: which keys are live.

#include "tests/attention/edge_masks.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <keylens/attention.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

#include "tests/attention/closeness.h"
#include "tests/attention/edge_case.h"
#include "tests/attention/element.h"
#include "tests/attention/matches_oracle.h"

namespace keylens {
namespace {

using ::testing::Each;
using namespace edge_masks;  // NOLINT(google-build-using-namespace)

TEST_P(EdgeCase, L11_EmptyRowByAMask) {
  AttentionCase attention(kShape);
  const RuleMask mask(kQueries, kKeys, [](int64_t i, int64_t j) {
    return i % 5 != 2 && (i + j) % 3 != 0;
  });
  attention.options.mask = mask.get();
  ExpectEmptyRows(attention, {2, 7, 12, 32});
}

TEST_P(EdgeCase, L11_EmptyRowByMasksTogether) {
  AttentionCase attention(kShape);
  const auto causal = CausalMask(CausalAlignment::kTopLeft);
  const RuleMask late(kQueries, kKeys,
                      [](int64_t i, int64_t j) { return j > i || i >= 30; });
  const auto both = AllOf({causal.get(), late.get()});
  attention.options.mask = both.get();
  ExpectEmptyRows(attention, {0, 1, 15, 29});
}

TEST_P(EdgeCase, L11_EmptyRowByABias) {
  AttentionCase attention(kShape);
  const RuleBias bias(kQueries, kKeys, [](int64_t i, int64_t) {
    return i % 6 == 1 ? -kInf : 0.5f;
  });
  attention.options.score_mods = {bias.get()};
  ExpectEmptyRows(attention, {1, 7, 31});
}

TEST_P(EdgeCase, L11_EmptyRowByABiasAndAMaskTogether) {
  AttentionCase attention(kShape);
  const RuleBias bias(kQueries, kKeys,
                      [](int64_t, int64_t j) { return j < 64 ? -kInf : 0.5f; });
  const auto causal = CausalMask(CausalAlignment::kBottomRight);
  attention.options.score_mods = {bias.get()};
  attention.options.mask = causal.get();
  ExpectEmptyRows(attention, {0, 10, 29});
}

TEST_P(EdgeCase, L11_EmptyRowByPadding) {
  AttentionCase attention(kShape);
  const auto padding = KeyPaddingMask({0, 20});
  attention.options.mask = padding.get();
  ExpectMatchesOracle(attention);
  ForwardResult forward = Forward(attention);
  EXPECT_THAT(RowOf(forward.out.Values(), 0,
                    kShape.num_heads * kQueries * kShape.value_dim),
              Each(0));
}

TEST_P(EdgeCase, L11_EmptyRowByADocumentWithoutKeys) {
  AttentionCase attention(kShape);
  std::vector<int32_t> queries(kQueries, 4), keys(kKeys, 4);
  std::fill(queries.begin() + 30, queries.end(), 5);
  queries[3] = 6;
  std::fill(keys.begin() + 50, keys.end(), 7);
  const auto documents = DocumentMask(queries, keys);
  attention.options.mask = documents.get();
  ExpectEmptyRows(attention, {3, 30, 31, 36});
}

TEST_P(EdgeCase, L11_NothingOfTheOutGradOfAnEmptyRowCounts) {
  AttentionCase attention(kShape);
  const RuleMask mask(kQueries, kKeys,
                      [](int64_t i, int64_t) { return i != 3; });
  attention.options.mask = mask.get();
  for (int64_t d = 0; d < kShape.value_dim; ++d) {
    attention.out_grad({1, 2, 3, d}) = kNan;
  }
  ExpectMatchesOracle(attention);
}

// With a mask, dead tiles are skipped; with a bias they are not, and each of
// them gives -inf minus -inf to whoever is careless.
TEST_P(EdgeCase, L12_FirstTilesMaskedThenLive) {
  constexpr int64_t kLong = 700;
  const auto live = [](int64_t i, int64_t j) {
    return j > 25 * i || (i == 20 && j == 0);
  };
  AttentionCase attention({1, 2, 1, 28, kLong, 9, 12});
  const RuleMask mask(28, kLong, live);
  attention.options.mask = mask.get();
  ExpectMatchesOracle(attention);

  AttentionCase biased({1, 2, 1, 28, kLong, 9, 12});
  const RuleBias bias(28, kLong, [&](int64_t i, int64_t j) {
    return live(i, j) ? 0.0f : -kInf;
  });
  biased.options.score_mods = {bias.get()};
  ExpectMatchesOracle(biased);
  EXPECT_TRUE(
      SameBits(Forward(attention).out.Values(), Forward(biased).out.Values()));
}

TEST_P(EdgeCase, L13_TheLowestFloatIsNoMask) {
  AttentionCase attention(kShape);
  const RuleBias bias(kQueries, kKeys, [](int64_t i, int64_t) {
    return i % 4 == 1 ? std::numeric_limits<float>::lowest() : 0.0f;
  });
  attention.options.score_mods = {bias.get()};
  Statistics statistics(attention, 3);
  const Inspection view = statistics.View();
  const ForwardResult forward = Forward(attention, &view);
  const auto oracle =
      ReferenceForward<double>(attention.Inputs(), attention.options);
  const auto naive =
      ReferenceForward<float>(attention.Inputs(), attention.options);
  EXPECT_TRUE(AsGoodAsNaive(forward.out.Values(), oracle.out, naive.out,
                            RoundingOf(4)));
  for (int64_t row = 1; row < kQueries; row += 4) {
    for (const float weight : RowOf(statistics.weights.Values(), row, kKeys)) {
      EXPECT_FLOAT_EQ(weight, 1.0f / kKeys);
    }
    EXPECT_NEAR(statistics.entropy.Values()[row], std::log(kKeys), 1e-5);
    EXPECT_FLOAT_EQ(forward.logsumexp.Values()[row],
                    std::numeric_limits<float>::lowest());
  }
}

TEST_P(EdgeCase, L23_MasksTogetherEqualTheirConjunction) {
  const auto causal = CausalMask(CausalAlignment::kTopLeft);
  const auto padding = KeyPaddingMask({50, 50});
  const auto window = SlidingWindowMask(8, 19, CausalAlignment::kTopLeft);
  const RuleMask sparse(kQueries, kKeys,
                        [](int64_t i, int64_t j) { return (i + j) % 4 != 1; });
  const auto all =
      AllOf({causal.get(), padding.get(), window.get(), sparse.get()});
  const RuleMask conjunction(kQueries, kKeys, [](int64_t i, int64_t j) {
    return j <= i && j < 50 && j >= i - 8 && (i + j) % 4 != 1;
  });
  ExpectSameOutputs(all.get(), conjunction.get());
}

TEST_P(EdgeCase, L23_DocumentsEachCausal) {
  std::vector<int32_t> ids(kKeys);
  for (int64_t j = 0; j < kKeys; ++j) ids[j] = static_cast<int32_t>(j / 13);
  const std::vector<int32_t> query_ids(ids.begin(), ids.begin() + kQueries);
  const auto documents = DocumentMask(query_ids, ids);
  const auto causal = CausalMask(CausalAlignment::kTopLeft);
  const auto both = AllOf({documents.get(), causal.get()});
  const RuleMask conjunction(kQueries, kKeys, [](int64_t i, int64_t j) {
    return j <= i && i / 13 == j / 13;
  });
  ExpectSameOutputs(both.get(), conjunction.get());
}

// Expects a bias of a shape that is broadcast to give the bits of its dense
// copy.
void ExpectBroadcastBias(const std::array<int64_t, 4>& shape) {
  AttentionCase attention(kShape);
  Buffer<float, 4> small(shape);
  Buffer<float, 4> dense({kShape.batch, kShape.num_heads, kQueries, kKeys});
  std::mt19937_64 random(23);
  std::normal_distribution<float> normal;
  small.Fill([&] { return normal(random); });
  ForEachIndex<4>(dense.view().shape, [&](const auto& index) {
    dense(index) = small({index[0] % shape[0], index[1] % shape[1],
                          index[2] % shape[2], index[3] % shape[3]});
  });
  const auto broadcast = AdditiveBias(small.view());
  const auto copied = AdditiveBias(dense.view());
  attention.options.score_mods = {broadcast.get()};
  ExpectMatchesOracle(attention);
  const auto out = Forward(attention).out.Values();
  attention.options.score_mods = {copied.get()};
  EXPECT_TRUE(SameBits(Forward(attention).out.Values(), out));
}

TEST_P(EdgeCase, L23_ABroadcastBiasEqualsTheDenseOne) {
  ExpectBroadcastBias({1, 1, 1, kKeys});
  ExpectBroadcastBias({1, 1, kQueries, kKeys});
  ExpectBroadcastBias({1, kShape.num_heads, 1, kKeys});
  ExpectBroadcastBias({kShape.batch, 1, kQueries, 1});
}

// Says of every tile that it is full, and masks key 3.
class LyingMask : public Mask {
 public:
  TileClass Classify(const TileCoord&) const override {
    return TileClass::kFull;
  }
  void Apply(ScoreTile scores) const override {
    if (scores.coord.first_key > 3) return;
    for (int64_t i = 0; i < scores.coord.num_queries; ++i) {
      scores.Row(i)[3 - scores.coord.first_key] = -kInf;
    }
  }
};

// What is asserted in a debug build only.
#ifndef NDEBUG
TEST(EdgeCaseDeathTest, L25_AMaskThatCallsAPartialTileFull) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  AttentionCase attention({1, 1, 1, 5, 9, 4, 3});
  const LyingMask mask;
  attention.options.mask = &mask;
  EXPECT_DEATH(Forward(attention), "mask_changes_no_full_tile");
}
#endif

}  // namespace
}  // namespace keylens
