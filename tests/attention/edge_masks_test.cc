// Lines 11 to 13, 20, 21, 23 and 25: which keys are live.

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
#include "tests/attention/matches_oracle.h"

namespace keylens {
namespace {

using ::testing::Each;

constexpr int64_t kQueries = 37;
constexpr int64_t kKeys = 71;
constexpr AttentionShape kShape = {2, 4, 2, kQueries, kKeys, 13, 10};

// Expects the rows of `empty` queries to hold what an empty row must, in every
// result and every head, and everything to match the oracle.
void ExpectEmptyRows(const AttentionCase& attention,
                     const std::vector<int64_t>& empty) {
  ExpectMatchesOracle(attention);
  Statistics statistics(attention, 3);
  const Inspection view = statistics.View();
  ForwardResult forward = Forward(attention, &view);
  const Gradients gradients = Backward(attention, forward);
  const auto out = forward.out.Values();
  const auto weights = statistics.weights.Values();
  const auto query_grad = gradients.query.Values();
  for (int64_t head = 0; head < kShape.batch * kShape.num_heads; ++head) {
    for (const int64_t query : empty) {
      const int64_t row = head * kQueries + query;
      EXPECT_THAT(RowOf(out, row, kShape.value_dim), Each(0));
      EXPECT_EQ(forward.logsumexp.Values()[row], -kInf);
      EXPECT_THAT(RowOf(weights, row, kKeys), Each(0));
      EXPECT_EQ(statistics.entropy.Values()[row], 0);
      EXPECT_THAT(RowOf(statistics.top_keys.Values(), row, 3), Each(-1));
      EXPECT_THAT(RowOf(query_grad, row, kShape.head_dim), Each(0));
    }
  }
}

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
  EXPECT_TRUE(AsGoodAsNaive(forward.out.Values(), oracle.out, naive.out));
  for (int64_t row = 1; row < kQueries; row += 4) {
    for (const float weight : RowOf(statistics.weights.Values(), row, kKeys)) {
      EXPECT_FLOAT_EQ(weight, 1.0f / kKeys);
    }
    EXPECT_NEAR(statistics.entropy.Values()[row], std::log(kKeys), 1e-5);
    EXPECT_FLOAT_EQ(forward.logsumexp.Values()[row],
                    std::numeric_limits<float>::lowest());
  }
}

// How many keys of each query are heavier than 0.
std::vector<int64_t> LiveKeys(int64_t query_len, int64_t kv_len,
                              const std::unique_ptr<Mask>& mask) {
  AttentionCase attention({1, 3, 1, query_len, kv_len, 8, 4});
  attention.options.mask = mask.get();
  ExpectMatchesOracle(attention);
  Statistics statistics(attention, 3);
  const Inspection view = statistics.View();
  Forward(attention, &view);
  const auto weights = statistics.weights.Values();
  std::vector<int64_t> live;
  for (int64_t i = 0; i < query_len; ++i) {
    const auto row = RowOf(weights, i, kv_len);
    live.push_back(std::count_if(row.begin(), row.end(),
                                 [](float weight) { return weight > 0; }));
  }
  return live;
}

constexpr auto kTopLeft = CausalAlignment::kTopLeft;
constexpr auto kBottomRight = CausalAlignment::kBottomRight;

TEST_P(EdgeCase, L20_CausalAlignments) {
  using ::testing::ElementsAre;
  EXPECT_THAT(LiveKeys(5, 2, CausalMask(kBottomRight)),
              ElementsAre(0, 0, 0, 1, 2));
  EXPECT_THAT(LiveKeys(5, 2, CausalMask(kTopLeft)), ElementsAre(1, 2, 2, 2, 2));
  EXPECT_THAT(LiveKeys(1, 16, CausalMask(kTopLeft)), ElementsAre(1));
  EXPECT_THAT(LiveKeys(1, 16, CausalMask(kBottomRight)), ElementsAre(16));
}

// Expects the mask to match the oracle where tiles are many and ragged.
void ExpectMatchesOracleAcrossTiles(const Mask& mask) {
  for (const auto& [query_len, kv_len] :
       {std::pair<int64_t, int64_t>{301, 301}, {150, 333}, {333, 150}}) {
    AttentionCase attention({1, 2, 1, query_len, kv_len, 6, 5});
    attention.options.mask = &mask;
    ExpectMatchesOracle(attention);
  }
}

TEST_P(EdgeCase, L20_CausalAcrossManyTiles) {
  for (const auto alignment : {kTopLeft, kBottomRight}) {
    ExpectMatchesOracleAcrossTiles(*CausalMask(alignment));
  }
}

TEST_P(EdgeCase, L21_AWindowOfItselfOnly) {
  AttentionCase attention(kShape);
  const auto window = SlidingWindowMask(0, 0, kTopLeft);
  attention.options.mask = window.get();
  ExpectMatchesOracle(attention);
  ForwardResult forward = Forward(attention);
  ForEachIndex<4>(forward.out.view().shape, [&](const auto& index) {
    const int64_t kv_head = index[1] / 2;
    EXPECT_EQ(forward.out(index),
              attention.value({index[0], kv_head, index[2], index[3]}));
  });
}

// Expects two masks, null for none, to give the same bits.
void ExpectSameOutputs(const Mask* mask, const Mask* other) {
  AttentionCase attention(kShape);
  attention.options.mask = mask;
  ExpectMatchesOracle(attention);
  const auto out = Forward(attention).out.Values();
  attention.options.mask = other;
  EXPECT_TRUE(SameBits(Forward(attention).out.Values(), out));
}

TEST_P(EdgeCase, L21_AWindowWithoutALimit) {
  constexpr int64_t kLargest = std::numeric_limits<int64_t>::max();
  for (const auto alignment : {kTopLeft, kBottomRight}) {
    const auto causal = CausalMask(alignment);
    for (const int64_t limit : {int64_t{-1}, kKeys, int64_t{1000}, kLargest}) {
      const auto window = SlidingWindowMask(limit, 0, alignment);
      ExpectSameOutputs(window.get(), causal.get());
      const auto everything = SlidingWindowMask(limit, limit, alignment);
      ExpectSameOutputs(everything.get(), nullptr);
    }
  }
}

TEST_P(EdgeCase, L21_AWindowThatIsNotCausal) {
  const RuleMask rule(kQueries, kKeys, [](int64_t i, int64_t j) {
    return j >= i - 3 && j <= i + 5;
  });
  ExpectSameOutputs(SlidingWindowMask(3, 5, kTopLeft).get(), rule.get());
  constexpr int64_t kShift = kKeys - kQueries;
  const RuleMask later(kQueries, kKeys, [](int64_t i, int64_t j) {
    return j >= i + kShift - 9;
  });
  ExpectSameOutputs(SlidingWindowMask(9, -1, kBottomRight).get(), later.get());
}

TEST_P(EdgeCase, L21_AWindowThatEmptiesRows) {
  using ::testing::ElementsAre;
  EXPECT_THAT(LiveKeys(9, 4, SlidingWindowMask(1, 0, kTopLeft)),
              ElementsAre(1, 2, 2, 2, 1, 0, 0, 0, 0));
  EXPECT_THAT(LiveKeys(6, 3, SlidingWindowMask(0, 1, kBottomRight)),
              ElementsAre(0, 0, 1, 2, 2, 1));
  AttentionCase attention(kShape);
  const auto window = SlidingWindowMask(5, 0, kTopLeft);
  const auto padding = KeyPaddingMask({20, 20});
  const auto both = AllOf({window.get(), padding.get()});
  attention.options.mask = both.get();
  ExpectEmptyRows(attention, {25, 26, 30, 36});
}

TEST_P(EdgeCase, L21_WindowsAcrossManyTiles) {
  for (const auto alignment : {kTopLeft, kBottomRight}) {
    ExpectMatchesOracleAcrossTiles(*SlidingWindowMask(20, 0, alignment));
    ExpectMatchesOracleAcrossTiles(*SlidingWindowMask(70, 130, alignment));
  }
  ExpectMatchesOracleAcrossTiles(*PrefixMask(100));
}

TEST_P(EdgeCase, L23_MasksTogetherEqualTheirConjunction) {
  const auto causal = CausalMask(kTopLeft);
  const auto padding = KeyPaddingMask({50, 50});
  const auto window = SlidingWindowMask(8, 19, kTopLeft);
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
  const auto causal = CausalMask(kTopLeft);
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

TEST(EdgeCaseDeathTest, L25_AMaskThatCallsAPartialTileFull) {
#ifdef NDEBUG
  GTEST_SKIP() << "asserted in a debug build only";
#else
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  AttentionCase attention({1, 1, 1, 5, 9, 4, 3});
  const LyingMask mask;
  attention.options.mask = &mask;
  EXPECT_DEATH(Forward(attention), "mask_changes_no_full_tile");
#endif
}

}  // namespace
}  // namespace keylens
