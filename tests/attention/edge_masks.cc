#include "tests/attention/edge_masks.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <keylens/attention.h>

#include <cstdint>
#include <vector>

#include "tests/attention/closeness.h"
#include "tests/attention/edge_case.h"
#include "tests/attention/matches_oracle.h"

namespace keylens::edge_masks {

using ::testing::Each;

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

void ExpectSameOutputs(const Mask* mask, const Mask* other) {
  AttentionCase attention(kShape);
  attention.options.mask = mask;
  ExpectMatchesOracle(attention);
  const auto out = Forward(attention).out.Values();
  attention.options.mask = other;
  EXPECT_TRUE(SameBits(Forward(attention).out.Values(), out));
}

}  // namespace keylens::edge_masks
