#ifndef KEYLENS_TESTS_ATTENTION_GRADIENTS_MATCH_H_
#define KEYLENS_TESTS_ATTENTION_GRADIENTS_MATCH_H_

#include "tests/attention/answers.h"
#include "tests/attention/attention_case.h"

namespace keylens {

// Expects all that AttentionBackward writes, from these outputs, to match what
// the oracle makes of the same outputs; that asking for sinks and relevance
// changes no bit of the other gradients; and that nothing is written between
// the elements of any result.
void ExpectGradientsMatch(const AttentionCase& attention,
                          const Answers& answers, ForwardResult& forward);

}  // namespace keylens

#endif  // KEYLENS_TESTS_ATTENTION_GRADIENTS_MATCH_H_
