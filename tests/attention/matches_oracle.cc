#include "tests/attention/matches_oracle.h"

#include <gtest/gtest.h>
#include <keylens/attention.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "src/attention/reference.h"
#include "tests/attention/attention_case.h"
#include "tests/attention/closeness.h"

namespace keylens {
namespace {

constexpr double kEpsilon = std::numeric_limits<float>::epsilon();

std::string Description(const AttentionShape& shape) {
  std::ostringstream text;
  text << "batch " << shape.batch << ", heads " << shape.num_heads << "/"
       << shape.num_kv_heads << ", " << shape.query_len << " x " << shape.kv_len
       << ", dims " << shape.head_dim << " and " << shape.value_dim;
  return text.str();
}

// The largest finite magnitude, or 1 where that is less.
double Largest(const std::vector<double>& values) {
  double largest = 1;
  for (const double value : values) {
    if (std::isfinite(value)) largest = std::max(largest, std::abs(value));
  }
  return largest;
}

// A case with the oracle's answer and the naive one.
struct Answers {
  explicit Answers(const AttentionCase& attention)
      : oracle(ReferenceForward<double>(attention.Inputs(), attention.options)),
        naive(ReferenceForward<float>(attention.Inputs(), attention.options)),
        largest_scores(Largest(oracle.scores)) {
    AttentionOptions options = attention.options;
    while (!options.score_mods.empty()) {
      options.score_mods.pop_back();
      largest_scores +=
          Largest(ReferenceForward<double>(attention.Inputs(), options).scores);
    }
  }

  double LargestWeight() const {
    double largest = 0;
    for (const double weight : oracle.weights) {
      if (weight > largest) largest = weight;
    }
    return largest;
  }

  // One unit in the last place of the largest score, before the score mods and
  // after each of them: a relative change of the weights. A naive sum may be
  // luckier than that.
  double ScoreRounding() const { return largest_scores * kEpsilon; }

  // The same of the logsumexp, which the API rounds to float: a relative change
  // of what is computed from it.
  double LogsumexpRounding() const {
    return Largest(oracle.logsumexp) * kEpsilon;
  }

  // A weight changes by w (1 - w) times what its score does.
  double WeightRounding() const {
    return ScoreRounding() * std::min(LargestWeight(), 0.25);
  }

  ReferenceResult<double> oracle;
  ReferenceResult<float> naive;
  double largest_scores;  // summed over the stages between score mods
};

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

// `rounding` is the relative rounding of weights that the naive formula need
// not have.
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
  EXPECT_TRUE(AsGoodAsNaive(
      statistics.pooled.Values(),
      ReferencePooled<double>(answers.oracle, statistics.query_group,
                              statistics.key_group, groups[2], groups[3]),
      ReferencePooled<float>(answers.naive, statistics.query_group,
                             statistics.key_group, groups[2], groups[3]),
      extra * rows))
      << "pooled";
  ExpectTopKeysMatch(statistics, answers, wanted,
                     2 * (extra + 8 * kEpsilon * answers.LargestWeight()));
}

void ExpectStatisticsPaddingUntouched(const Statistics& statistics) {
  EXPECT_TRUE(statistics.weights.PaddingIsUntouched());
  EXPECT_TRUE(statistics.entropy.PaddingIsUntouched());
  EXPECT_TRUE(statistics.key_mass.PaddingIsUntouched());
  EXPECT_TRUE(statistics.top_keys.PaddingIsUntouched());
  EXPECT_TRUE(statistics.top_weights.PaddingIsUntouched());
  EXPECT_TRUE(statistics.pooled.PaddingIsUntouched());
}

void ExpectInspectionMatches(const AttentionCase& attention,
                             const Answers& answers, ForwardResult& forward,
                             int64_t k) {
  Statistics beside(attention, k);
  const Inspection view = beside.View();
  const ForwardResult inspected = Forward(attention, &view);
  EXPECT_TRUE(SameBits(inspected.out.Values(), forward.out.Values()));
  EXPECT_TRUE(
      SameBits(inspected.logsumexp.Values(), forward.logsumexp.Values()));
  {
    SCOPED_TRACE("statistics beside the forward pass");
    ExpectStatisticsMatch(beside, answers, answers.ScoreRounding());
    ExpectStatisticsPaddingUntouched(beside);
  }
  SCOPED_TRACE("statistics from the logsumexp");
  Statistics after(attention, k);
  AttentionInspect<float>(attention.Inputs(), attention.options,
                          forward.logsumexp.view(), after.View());
  ExpectStatisticsMatch(after, answers,
                        answers.ScoreRounding() + answers.LogsumexpRounding());
  ExpectStatisticsPaddingUntouched(after);
}

void ExpectForwardMatches(const AttentionCase& attention,
                          const Answers& answers, ForwardResult& forward,
                          int64_t k) {
  EXPECT_TRUE(
      AsGoodAsNaive(forward.out.Values(), answers.oracle.out, answers.naive.out,
                    2 * answers.WeightRounding() * Largest(answers.oracle.out)))
      << "out";
  EXPECT_TRUE(AsGoodAsNaive(forward.logsumexp.Values(),
                            answers.oracle.logsumexp, answers.naive.logsumexp))
      << "logsumexp";
  EXPECT_TRUE(forward.out.PaddingIsUntouched());
  EXPECT_TRUE(forward.logsumexp.PaddingIsUntouched());
  ExpectInspectionMatches(attention, answers, forward, k);
}

void ExpectGradientMatches(const char* name, const Buffer<float, 4>& actual,
                           const std::vector<double>& oracle,
                           const std::vector<float>& naive, double rounding) {
  EXPECT_TRUE(
      AsGoodAsNaive(actual.Values(), oracle, naive, rounding * Largest(oracle)))
      << "gradient by " << name;
  EXPECT_TRUE(actual.PaddingIsUntouched()) << "gradient by " << name;
}

void ExpectGradientsMatch(const AttentionCase& attention,
                          const Answers& answers, ForwardResult& forward) {
  const auto inputs = attention.Inputs();
  const auto oracle = ReferenceBackward<double, float>(
      inputs, attention.options, attention.out_grad.view());
  const auto naive = ReferenceBackward<float, float>(inputs, attention.options,
                                                     attention.out_grad.view());
  const Gradients actual = Backward(attention, forward);
  const double rounding = answers.LogsumexpRounding();
  ExpectGradientMatches("query", actual.query, oracle.query, naive.query,
                        rounding);
  ExpectGradientMatches("key", actual.key, oracle.key, naive.key, rounding);
  ExpectGradientMatches("value", actual.value, oracle.value, naive.value,
                        rounding);
}

}  // namespace

void ExpectForwardMatchesOracle(const AttentionCase& attention, int64_t k) {
  SCOPED_TRACE(Description(attention.Shape()));
  const Answers answers(attention);
  ForwardResult forward = Forward(attention);
  ExpectForwardMatches(attention, answers, forward, k);
}

void ExpectMatchesOracle(const AttentionCase& attention, int64_t k) {
  SCOPED_TRACE(Description(attention.Shape()));
  const Answers answers(attention);
  ForwardResult forward = Forward(attention);
  ExpectForwardMatches(attention, answers, forward, k);
  ExpectGradientsMatch(attention, answers, forward);
}

}  // namespace keylens
