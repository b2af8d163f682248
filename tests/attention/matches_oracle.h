#ifndef KEYLENS_TESTS_ATTENTION_MATCHES_ORACLE_H_
#define KEYLENS_TESTS_ATTENTION_MATCHES_ORACLE_H_

#include <cstdint>

#include "tests/attention/attention_case.h"

namespace keylens {

// Runs the forward pass, with every statistic and `k` top keys and without, and
// the same statistics from the logsumexp alone, and expects all of it to match
// the oracle; that asking for statistics changes no bit of the outputs; and
// that nothing is written between the elements of any result.
void ExpectForwardMatchesOracle(const AttentionCase& attention, int64_t k = 4);

// The same, and the gradients.
void ExpectMatchesOracle(const AttentionCase& attention, int64_t k = 4);

}  // namespace keylens

#endif  // KEYLENS_TESTS_ATTENTION_MATCHES_ORACLE_H_
