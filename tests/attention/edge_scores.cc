#include "tests/attention/edge_scores.h"

#include <gtest/gtest.h>
#include <keylens/attention.h>

#include <cstdint>
#include <functional>
#include <vector>

#include "tests/attention/closeness.h"
#include "tests/attention/edge_case.h"
#include "tests/attention/matches_oracle.h"

namespace keylens::edge_scores {

AttentionCase WithScores(const std::vector<float>& query_factor,
                         const std::vector<float>& key_factor, float scale) {
  const auto queries = static_cast<int64_t>(query_factor.size());
  const auto keys = static_cast<int64_t>(key_factor.size());
  AttentionCase attention({1, 1, 1, queries, keys, 1, 5});
  std::size_t i = 0, j = 0;
  attention.query.Fill([&] { return query_factor[i++]; });
  attention.key.Fill([&] { return key_factor[j++]; });
  attention.options.scale = scale;
  return attention;
}

std::vector<float> WeightsOf(const AttentionCase& attention) {
  Statistics statistics(attention, 3);
  const Inspection view = statistics.View();
  Forward(attention, &view);
  return statistics.weights.Values();
}

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

}  // namespace keylens::edge_scores
