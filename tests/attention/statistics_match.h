#ifndef KEYLENS_TESTS_ATTENTION_STATISTICS_MATCH_H_
#define KEYLENS_TESTS_ATTENTION_STATISTICS_MATCH_H_

#include "tests/attention/answers.h"
#include "tests/attention/attention_case.h"

namespace keylens {

// Expects statistics to match the oracle, and nothing to be written between
// their elements. `rounding` is the relative rounding of weights that the naive
// formula need not have.
void ExpectStatisticsMatch(const Statistics& statistics, const Answers& answers,
                           double rounding);

}  // namespace keylens

#endif  // KEYLENS_TESTS_ATTENTION_STATISTICS_MATCH_H_
