#ifndef KEYLENS_TESTS_ATTENTION_MATCHES_ORACLE_H_
#define KEYLENS_TESTS_ATTENTION_MATCHES_ORACLE_H_

#include <cstdint>

#include "tests/attention/attention_case.h"

namespace keylens {

// Runs everything the engine can do on one case and expects all of it to match
// the oracle: the forward pass, every statistic with `k` top keys (which must
// change no bit of the outputs), the same statistics from the logsumexp alone,
// and the gradients; and that nothing is written between the elements of any
// result.
void ExpectMatchesOracle(const AttentionCase& attention, int64_t k = 4);

}  // namespace keylens

#endif  // KEYLENS_TESTS_ATTENTION_MATCHES_ORACLE_H_
