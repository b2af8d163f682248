// Lines 20 and 21: the diagonal, and windows around it.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <keylens/attention.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

#include "tests/attention/edge_case.h"
#include "tests/attention/edge_masks.h"
#include "tests/attention/matches_oracle.h"

namespace keylens {
namespace {

using namespace edge_masks;  // NOLINT(google-build-using-namespace)

constexpr auto kTopLeft = CausalAlignment::kTopLeft;
constexpr auto kBottomRight = CausalAlignment::kBottomRight;

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

}  // namespace
}  // namespace keylens
