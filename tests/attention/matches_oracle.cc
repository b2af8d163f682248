#include "tests/attention/matches_oracle.h"

#include <gtest/gtest.h>
#include <keylens/attention.h>

#include <cstdint>
#include <sstream>
#include <string>
#include <vector>

#include "src/attention/reference/reference.h"
#include "tests/attention/answers.h"
#include "tests/attention/attention_case.h"
#include "tests/attention/closeness.h"
#include "tests/attention/element.h"
#include "tests/attention/gradients_match.h"
#include "tests/attention/statistics_match.h"

namespace keylens {
namespace {

std::string Description(const AttentionShape& shape) {
  std::ostringstream text;
  text << "batch " << shape.batch << ", heads " << shape.num_heads << "/"
       << shape.num_kv_heads << ", " << shape.query_len << " x " << shape.kv_len
       << ", dims " << shape.head_dim << " and " << shape.value_dim;
  return text.str();
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
  }
  // The scores are summed twice, for few queries in another order: what rounds
  // the logsumexp does not cancel in the weights.
  SCOPED_TRACE("statistics from the logsumexp");
  Statistics after(attention, k);
  Inspect(attention, forward, after.View());
  ExpectStatisticsMatch(after, answers,
                        2 * answers.ScoreRounding() + answers.OrderRounding() +
                            answers.LogsumexpRounding());
}

void ExpectOutputsMatch(const Answers& answers, const Dropout& dropout,
                        const std::vector<float>& out,
                        const std::vector<float>& logsumexp) {
  const double largest = Largest(answers.oracle.out);
  const double extra =
      2 * answers.WeightRounding() * largest / (1 - dropout.probability);
  EXPECT_TRUE(AsGoodAsNaive(out, answers.oracle.out, answers.naive.out,
                            extra + RoundingOf(largest)))
      << "out";
  EXPECT_TRUE(AsGoodAsNaive(logsumexp, answers.oracle.logsumexp,
                            answers.naive.logsumexp))
      << "logsumexp";
}

void ExpectForwardMatches(const AttentionCase& attention,
                          const Answers& answers, ForwardResult& forward,
                          int64_t k) {
  ExpectOutputsMatch(answers, attention.options.dropout, forward.out.Values(),
                     forward.logsumexp.Values());
  EXPECT_TRUE(forward.out.PaddingIsUntouched());
  EXPECT_TRUE(forward.logsumexp.PaddingIsUntouched());
  if (attention.options.dropout.probability > 0) return;
  ExpectInspectionMatches(attention, answers, forward, k);
}

}  // namespace

void ExpectOutputsMatchOracle(const AttentionInputs<float>& inputs,
                              const AttentionOptions& options,
                              const std::vector<float>& out,
                              const std::vector<float>& logsumexp) {
  SCOPED_TRACE(Description(ShapeOf(inputs)));
  ExpectOutputsMatch(Answers(inputs, options), options.dropout, out, logsumexp);
}

void ExpectMergedMatchesOracle(const AttentionCase& attention,
                               const ForwardResult& merged) {
  SCOPED_TRACE(Description(attention.Shape()));
  const Answers answers(attention.Inputs(), attention.options);
  const std::vector<float> values = attention.value.Values();
  const double largest = Largest({values.begin(), values.end()});
  const double extra = answers.WeightRounding() + answers.LogsumexpRounding();
  EXPECT_TRUE(AsGoodAsNaive(merged.out.Values(), answers.oracle.out,
                            answers.naive.out,
                            2 * (extra * largest + RoundingOf(largest))))
      << "out";
  EXPECT_TRUE(AsGoodAsNaive(merged.logsumexp.Values(), answers.oracle.logsumexp,
                            answers.naive.logsumexp,
                            answers.LogsumexpRounding()))
      << "logsumexp";
}

void ExpectForwardMatchesOracle(const AttentionCase& given, int64_t k) {
  const AttentionCase attention = given.RoundedAgain();
  SCOPED_TRACE(Description(attention.Shape()));
  const Answers answers(attention.Inputs(), attention.options);
  ForwardResult forward = Forward(attention);
  ExpectForwardMatches(attention, answers, forward, k);
}

void ExpectMatchesOracle(const AttentionCase& given, int64_t k) {
  const AttentionCase attention = given.RoundedAgain();
  SCOPED_TRACE(Description(attention.Shape()));
  const Answers answers(attention.Inputs(), attention.options);
  ForwardResult forward = Forward(attention);
  ExpectForwardMatches(attention, answers, forward, k);
  ExpectGradientsMatch(attention, answers, forward);
}

}  // namespace keylens
