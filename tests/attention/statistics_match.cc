#include "tests/attention/statistics_match.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <set>
#include <vector>

#include "src/attention/reference/reference.h"
#include "tests/attention/answers.h"
#include "tests/attention/closeness.h"

namespace keylens {
namespace {

// One query's share of the top keys.
struct TopRow {
  std::vector<int64_t> keys;
  std::vector<float> top_weights;
  std::vector<double> scores;   // the oracle's, of every key
  std::vector<double> weights;  // likewise
  std::vector<double> ranked;   // the oracle's top weights
};

void ExpectTopRowMatches(const TopRow& row, double tolerance) {
  std::set<int64_t> seen;
  const auto masked = std::count(row.scores.begin(), row.scores.end(),
                                 -std::numeric_limits<double>::infinity());
  const auto live = static_cast<int64_t>(row.scores.size()) - masked;
  for (int64_t rank = 0; rank < static_cast<int64_t>(row.keys.size()); ++rank) {
    const int64_t key = row.keys[rank];
    if (rank >= live) {
      EXPECT_EQ(key, -1) << "rank " << rank << " of " << live << " live keys";
      EXPECT_EQ(row.top_weights[rank], 0);
      continue;
    }
    ASSERT_GE(key, 0);
    ASSERT_LT(key, static_cast<int64_t>(row.scores.size()));
    EXPECT_TRUE(seen.insert(key).second) << "key " << key << " twice";
    EXPECT_TRUE(std::isfinite(row.scores[key])) << "masked key " << key;
    EXPECT_NEAR(row.weights[key], row.ranked[rank], tolerance);
    EXPECT_NEAR(row.top_weights[rank], row.weights[key], tolerance);
    if (rank == 0) continue;
    EXPECT_GE(row.top_weights[rank - 1], row.top_weights[rank]);
    if (row.top_weights[rank - 1] == row.top_weights[rank]) {
      EXPECT_LT(row.keys[rank - 1], key) << "ties go to the lower key";
    }
  }
}

template <typename T>
std::vector<T> Slice(const std::vector<T>& values, int64_t row,
                     int64_t length) {
  return {values.begin() + row * length, values.begin() + (row + 1) * length};
}

void ExpectTopKeysMatch(const Statistics& statistics, const Answers& answers,
                        const ReferenceStatistics<double>& wanted,
                        double tolerance) {
  const int64_t k = statistics.top_keys.view().shape[3];
  const int64_t kv_len = answers.oracle.shape.kv_len;
  const std::vector<int64_t> keys = statistics.top_keys.Values();
  const std::vector<float> weights = statistics.top_weights.Values();
  for (std::size_t row = 0; row < answers.oracle.logsumexp.size(); ++row) {
    if (std::isnan(answers.oracle.logsumexp[row])) {
      EXPECT_TRUE(IsNan(Slice(weights, row, k)));
      continue;
    }
    ExpectTopRowMatches({Slice(keys, row, k), Slice(weights, row, k),
                         Slice(answers.oracle.scores, row, kv_len),
                         Slice(answers.oracle.weights, row, kv_len),
                         Slice(wanted.top_weights, row, k)},
                        tolerance);
  }
}

void ExpectPaddingUntouched(const Statistics& statistics) {
  EXPECT_TRUE(statistics.weights.PaddingIsUntouched());
  EXPECT_TRUE(statistics.entropy.PaddingIsUntouched());
  EXPECT_TRUE(statistics.key_mass.PaddingIsUntouched());
  EXPECT_TRUE(statistics.top_keys.PaddingIsUntouched());
  EXPECT_TRUE(statistics.top_weights.PaddingIsUntouched());
  EXPECT_TRUE(statistics.pooled.PaddingIsUntouched());
  EXPECT_TRUE(statistics.offset_mass.PaddingIsUntouched());
}

}  // namespace

void ExpectStatisticsMatch(const Statistics& statistics, const Answers& answers,
                           double rounding) {
  const int64_t k = statistics.top_keys.view().shape[3];
  const auto groups = statistics.pooled.view().shape;
  const auto wanted = ReferenceInspect(answers.oracle, k);
  const auto naive = ReferenceInspect(answers.naive, k);
  const AttentionShape& shape = answers.oracle.shape;
  const double extra = rounding * std::min(answers.LargestWeight(), 1.0);
  // Roundings of different rows are independent.
  const double rows = 2 * std::sqrt(static_cast<double>(shape.query_len));
  // If every w becomes w (1 + r), -sum of w ln w grows by r (entropy - 1).
  const double nats = 1 + std::log(1.0 + static_cast<double>(shape.kv_len));
  EXPECT_TRUE(AsGoodAsNaive(statistics.weights.Values(), answers.oracle.weights,
                            answers.naive.weights, extra))
      << "weights";
  EXPECT_TRUE(AsGoodAsNaive(statistics.entropy.Values(), wanted.entropy,
                            naive.entropy, rounding * nats))
      << "entropy";
  EXPECT_TRUE(AsGoodAsNaive(statistics.key_mass.Values(), wanted.key_mass,
                            naive.key_mass, extra * rows))
      << "key_mass";
  EXPECT_TRUE(AsGoodAsNaive(statistics.offset_mass.Values(), wanted.offset_mass,
                            naive.offset_mass, extra * rows))
      << "offset_mass";
  EXPECT_TRUE(AsGoodAsNaive(
      statistics.pooled.Values(),
      ReferencePooled<double>(answers.oracle, statistics.query_group,
                              statistics.key_group, groups[2], groups[3]),
      ReferencePooled<float>(answers.naive, statistics.query_group,
                             statistics.key_group, groups[2], groups[3]),
      extra * rows))
      << "pooled";
  ExpectTopKeysMatch(
      statistics, answers, wanted,
      2 * (extra + 8 * kEpsilon * answers.LargestWeight() +
           WorstError(answers.naive.weights, answers.oracle.weights)));
  ExpectPaddingUntouched(statistics);
}

}  // namespace keylens
