// Lines 32 to 36: inspection. That asking changes no bit of the outputs (33) is
// expected by ExpectMatchesOracle for every case there is.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <keylens/attention.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "tests/attention/closeness.h"
#include "tests/attention/edge_case.h"
#include "tests/attention/element.h"
#include "tests/attention/matches_oracle.h"

namespace keylens {
namespace {

constexpr AttentionShape kShape = {2, 4, 2, 53, 97, 15, 8};

// What `statistic` is of the inspection beside the forward pass and of the one
// from the logsumexp; both must be the same to the last bits.
class Inspected {
 public:
  explicit Inspected(const AttentionCase& attention)
      : attention_(attention), forward_(Forward(attention)) {}

  void Beside(const Inspection& view) { Forward(attention_, &view); }
  void After(const Inspection& view) { Inspect(attention_, forward_, view); }

 private:
  const AttentionCase& attention_;
  ForwardResult forward_;
};

TEST_P(EdgeCase, L32_EveryStatisticForEveryMask) {
  const auto top_left = CausalMask(CausalAlignment::kTopLeft);
  const auto bottom_right = CausalMask(CausalAlignment::kBottomRight);
  const auto padding = KeyPaddingMask({61, 96});
  const auto both = AllOf({top_left.get(), padding.get()});
  const auto window = SlidingWindowMask(20, 3, CausalAlignment::kBottomRight);
  const auto prefix = PrefixMask(30);
  std::vector<int32_t> documents(97);
  for (int j = 0; j < 97; ++j) documents[j] = 40 - j / 17;
  const auto own_document =
      DocumentMask({documents.begin(), documents.begin() + 53}, documents);
  const RuleMask sparse(
      53, 97, [](int64_t i, int64_t j) { return (i * 31 + j * 17) % 11 == 0; });
  for (const Mask* mask :
       {static_cast<const Mask*>(top_left.get()),
        static_cast<const Mask*>(bottom_right.get()),
        static_cast<const Mask*>(padding.get()),
        static_cast<const Mask*>(both.get()),
        static_cast<const Mask*>(window.get()),
        static_cast<const Mask*>(prefix.get()),
        static_cast<const Mask*>(own_document.get()), sparse.get()}) {
    for (const int64_t k : {1, 8, 97, 120}) {
      AttentionCase attention(kShape);
      attention.options.mask = mask;
      ExpectMatchesOracle(attention, k);
    }
  }
}

// Every subset of the statistics: one that is not asked for is not needed by
// the others. What else is asked for may change the way they are computed, and
// with it their last bits.
TEST_P(EdgeCase, L33_AnySubsetOfTheStatistics) {
  const AttentionCase attention(kShape);
  Inspected inspected(attention);
  Statistics all(attention, 4);
  inspected.Beside(all.View());
  for (int asked = 0; asked < 128; ++asked) {
    Statistics some(attention, 4);
    Inspection view = some.View();
    if (!(asked & 1)) view.weights.data = nullptr;
    if (!(asked & 2)) view.entropy.data = nullptr;
    if (!(asked & 4)) view.key_mass.data = nullptr;
    if (!(asked & 8)) view.top_keys.data = nullptr;
    if (!(asked & 16)) view.top_weights.data = nullptr;
    if (!(asked & 32)) view.pooled.data = nullptr;
    if (!(asked & 64)) view.offset_mass.data = nullptr;
    inspected.Beside(view);
    const auto expect = [&](int bit, const auto& actual, const auto& wanted) {
      if (asked & bit) {
        const auto right = wanted.Values();
        EXPECT_TRUE(Close(actual.Values(), {right.begin(), right.end()}, 2e-6))
            << asked;
      } else {
        EXPECT_TRUE(IsNan(actual.Values())) << asked;
      }
    };
    expect(1, some.weights, all.weights);
    expect(2, some.entropy, all.entropy);
    expect(4, some.key_mass, all.key_mass);
    expect(16, some.top_weights, all.top_weights);
    expect(32, some.pooled, all.pooled);
    expect(64, some.offset_mass, all.offset_mass);
    if (asked & 8) {
      EXPECT_EQ(some.top_keys.Values(), all.top_keys.Values());
    }
  }
}

TEST_P(EdgeCase, L34_WeightsForARangeOfRows) {
  const AttentionCase attention(kShape);
  Inspected inspected(attention);
  Statistics all(attention, 2);
  inspected.Beside(all.View());
  for (const auto& [begin, end] : {std::pair<int64_t, int64_t>{0, 53},
                                   {0, 1},
                                   {52, 53},
                                   {7, 40},
                                   {9, 9},
                                   {53, 53}}) {
    Buffer<float, 4> rows({2, 4, end - begin, 97});
    Inspection view;
    view.query_rows = {begin, end};
    view.weights = rows.view();
    for (const bool beside : {true, false}) {
      rows.Fill([] { return kNan; });
      beside ? inspected.Beside(view) : inspected.After(view);
      ForEachIndex<4>(rows.view().shape, [&, first = begin](const auto& index) {
        const float wanted =
            all.weights({index[0], index[1], first + index[2], index[3]});
        ASSERT_NEAR(rows(index), wanted, beside ? 0 : 2e-6 * wanted);
      });
      EXPECT_TRUE(rows.PaddingIsUntouched());
    }
  }
}

// The statistics over all rows do not depend on the rows `weights` covers.
TEST_P(EdgeCase, L34_OtherStatisticsCoverAllRows) {
  const AttentionCase attention(kShape);
  Statistics all(attention, 2), ranged(attention, 2);
  Inspection view = all.View();
  Forward(attention, &view);
  Buffer<float, 4> rows({2, 4, 5, 97});
  Inspection ranged_view = ranged.View();
  ranged_view.query_rows = {20, 25};
  ranged_view.weights = rows.view();
  Forward(attention, &ranged_view);
  EXPECT_TRUE(SameBits(ranged.key_mass.Values(), all.key_mass.Values()));
  EXPECT_TRUE(SameBits(ranged.entropy.Values(), all.entropy.Values()));
  EXPECT_TRUE(SameBits(ranged.pooled.Values(), all.pooled.Values()));
  EXPECT_TRUE(SameBits(ranged.offset_mass.Values(), all.offset_mass.Values()));
}

TEST_P(EdgeCase, L35_PooledIntoOneGroupIsTheNumberOfLiveRows) {
  AttentionCase attention(kShape);
  const RuleMask mask(53, 97, [](int64_t i, int64_t) { return i % 4 != 1; });
  attention.options.mask = mask.get();
  Inspected inspected(attention);
  const std::vector<int32_t> queries(53, 0), keys(97, 0);
  Buffer<float, 4> pooled({2, 4, 1, 1});
  Inspection view;
  view.query_group = queries;
  view.key_group = keys;
  view.pooled = pooled.view();
  for (const bool beside : {true, false}) {
    beside ? inspected.Beside(view) : inspected.After(view);
    for (const float sum : pooled.Values()) EXPECT_NEAR(sum, 40, 40 * 1e-5);
  }
}

TEST_P(EdgeCase, L35_PooledWithTheIdentityIsTheWeights) {
  const AttentionCase attention(kShape);
  Inspected inspected(attention);
  std::vector<int32_t> queries(53), keys(97);
  std::iota(queries.begin(), queries.end(), 0);
  std::iota(keys.begin(), keys.end(), 0);
  Buffer<float, 4> pooled({2, 4, 53, 97}), weights({2, 4, 53, 97});
  Inspection view;
  view.weights = weights.view();
  view.query_group = queries;
  view.key_group = keys;
  view.pooled = pooled.view();
  for (const bool beside : {true, false}) {
    beside ? inspected.Beside(view) : inspected.After(view);
    const auto wanted = weights.Values();
    EXPECT_TRUE(Close(pooled.Values(), {wanted.begin(), wanted.end()}, 1e-7));
  }
}

TEST_P(EdgeCase, L35_GroupsWithoutMembersAreZero) {
  const AttentionCase attention(kShape);
  const std::vector<int32_t> queries(53, 4);
  std::vector<int32_t> keys(97, -1);
  keys[96] = 2;
  Buffer<float, 4> pooled({2, 4, 6, 5});
  Inspection view;
  view.query_group = queries;
  view.key_group = keys;
  view.pooled = pooled.view();
  Inspected(attention).Beside(view);
  ForEachIndex<4>(pooled.view().shape, [&](const auto& index) {
    if (index[2] == 4 && index[3] == 2) {
      EXPECT_GT(pooled(index), 0);
    } else {
      EXPECT_EQ(pooled(index), 0);
    }
  });
}

// The last keys, in the last partial tile of every width, get the mass that is
// theirs and no lane beyond them any.
TEST_P(EdgeCase, L36_NoPaddedLaneCounts) {
  for (int64_t kv_len = 1; kv_len < 70; ++kv_len) {
    AttentionCase attention({1, 1, 1, 5, kv_len, 3, 2}, kv_len);
    ExpectMatchesOracle(attention, 2);
  }
}

// Every diagonal of the weights, element by element.
void ExpectOffsetMassAddsUp(Statistics& statistics,
                            const AttentionShape& shape) {
  ForEachIndex<3>(statistics.offset_mass.view().shape, [&](const auto& index) {
    const int64_t offset = index[2] - (shape.query_len - 1);
    double sum = 0;
    for (int64_t i = 0; i < shape.query_len; ++i) {
      const int64_t key = i + offset;
      if (0 <= key && key < shape.kv_len)
        sum += statistics.weights({index[0], index[1], i, key});
    }
    ASSERT_NEAR(statistics.offset_mass(index), sum, 1e-6 * (1 + sum));
  });
}

// What must hold whatever the numbers are.
void ExpectInvariants(const AttentionCase& attention, int64_t live_rows) {
  Statistics statistics(attention, 3);
  const Inspection view = statistics.View();
  ForwardResult forward = Forward(attention, &view);
  const AttentionShape shape = attention.Shape();
  const auto weights = statistics.weights.Values();
  const auto entropy = statistics.entropy.Values();
  for (std::size_t row = 0; row < entropy.size(); ++row) {
    const auto of_row = RowOf(weights, row, shape.kv_len);
    const double sum = std::accumulate(of_row.begin(), of_row.end(), 0.0);
    const auto live = std::count_if(of_row.begin(), of_row.end(),
                                    [](float weight) { return weight > 0; });
    EXPECT_NEAR(sum, live > 0, 2e-6);
    EXPECT_GE(entropy[row], 0);
    EXPECT_LE(entropy[row], std::log(std::max<int64_t>(live, 1)) + 1e-6);
  }
  const auto key_mass = statistics.key_mass.Values();
  for (int64_t head = 0; head < shape.batch * shape.num_heads; ++head) {
    const auto of_head = RowOf(key_mass, head, shape.kv_len);
    EXPECT_NEAR(std::accumulate(of_head.begin(), of_head.end(), 0.0), live_rows,
                1e-5 * shape.query_len);
  }
  ExpectOffsetMassAddsUp(statistics, shape);
  const int64_t group = shape.num_heads / shape.num_kv_heads;
  AttentionCase copy = attention;
  ForEachIndex<4>(forward.out.view().shape, [&](const auto& index) {
    double sum = 0;
    for (int64_t j = 0; j < shape.kv_len; ++j) {
      sum += statistics.weights({index[0], index[1], index[2], j}) *
             copy.value({index[0], index[1] / group, j, index[3]});
    }
    EXPECT_NEAR(forward.out(index), sum, 3e-6 + RoundingOf(std::abs(sum)));
  });
}

// Longer than one slice of queries, so that the sums of several meet.
TEST_P(EdgeCase, L36_OffsetsOfSeveralSlices) {
  for (const int64_t query_len : {575, 576, 577, 1201}) {
    AttentionCase attention({1, 1, 1, query_len, 300, 3, 2}, query_len);
    const auto causal = CausalMask(CausalAlignment::kTopLeft);
    attention.options.mask = causal.get();
    Statistics statistics(attention, 1);
    const Inspection view = statistics.View();
    const ForwardResult forward = Forward(attention, &view);
    ExpectOffsetMassAddsUp(statistics, attention.Shape());
    Inspect(attention, forward, view);
    ExpectOffsetMassAddsUp(statistics, attention.Shape());
  }
}

TEST_P(EdgeCase, L36_Invariants) {
  AttentionCase attention(kShape);
  ExpectInvariants(attention, 53);
  const auto causal = CausalMask(CausalAlignment::kTopLeft);
  attention.options.mask = causal.get();
  ExpectInvariants(attention, 53);
  const RuleMask mask(53, 97, [](int64_t i, int64_t j) {
    return i % 4 != 1 && j > 2 * i - 40;
  });
  attention.options.mask = mask.get();
  ExpectInvariants(attention, 40);
}

}  // namespace
}  // namespace keylens
