#ifndef KEYLENS_TESTS_ATTENTION_ANSWERS_H_
#define KEYLENS_TESTS_ATTENTION_ANSWERS_H_

#include <keylens/attention.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "src/attention/reference/reference.h"
#include "src/attention/reference/reference_rows.h"

namespace keylens {

inline constexpr double kEpsilon = std::numeric_limits<float>::epsilon();

// The largest finite magnitude.
inline double LargestOf(const std::vector<double>& values) {
  double largest = 0;
  for (const double value : values) {
    if (std::isfinite(value)) largest = std::max(largest, std::abs(value));
  }
  return largest;
}

// The same, or 1 where that is less.
inline double Largest(const std::vector<double>& values) {
  return std::max(LargestOf(values), 1.0);
}

// The largest finite sum of the absolute values that a score is added up from,
// before the score mods.
inline double LargestProductSum(const AttentionInputs<float>& inputs,
                                const AttentionOptions& options) {
  const AttentionShape shape = ShapeOf(inputs);
  double largest = 0;
  reference::ForEachQuery(shape, [&](const reference::Query& q) {
    for (int64_t j = 0; j < shape.kv_len; ++j) {
      double sum = 0;
      for (int64_t d = 0; d < shape.head_dim; ++d) {
        sum += std::abs(
            double{reference::At(inputs.query, q.batch, q.head, q.query, d)} *
            double{reference::At(inputs.key, q.batch, q.kv_head, j, d)});
      }
      if (std::isfinite(sum)) largest = std::max(largest, sum);
    }
  });
  return largest * std::abs(reference::Scale<double>(options, shape));
}

// A case with the oracle's answer and the naive one.
struct Answers {
  Answers(const AttentionInputs<float>& inputs, const AttentionOptions& given)
      : oracle(ReferenceForward<double>(inputs, given)),
        naive(ReferenceForward<float>(inputs, given)),
        largest_scores(Largest(oracle.scores)),
        largest_product_sum(LargestProductSum(inputs, given)) {
    AttentionOptions options = given;
    while (!options.score_mods.empty()) {
      options.score_mods.pop_back();
      largest_scores +=
          Largest(ReferenceForward<double>(inputs, options).scores);
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

  // What a score may change by when its products are added up in another order:
  // one unit in the last place of the sum of their absolute values.
  double OrderRounding() const { return largest_product_sum * kEpsilon; }

  // One unit in the last place of the logsumexp, which the API rounds to float:
  // a relative change of what is computed from it.
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
  double largest_product_sum;
};

}  // namespace keylens

#endif  // KEYLENS_TESTS_ATTENTION_ANSWERS_H_
