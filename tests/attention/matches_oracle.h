#ifndef KEYLENS_TESTS_ATTENTION_MATCHES_ORACLE_H_
#define KEYLENS_TESTS_ATTENTION_MATCHES_ORACLE_H_

#include <keylens/attention.h>

#include <cstdint>
#include <vector>

#include "tests/attention/attention_case.h"

namespace keylens {

// Runs the forward pass, with every statistic and `k` top keys and without, and
// the same statistics from the logsumexp alone, and expects all of it to match
// the oracle; that asking for statistics changes no bit of the outputs; and
// that nothing is written between the elements of any result.
void ExpectForwardMatchesOracle(const AttentionCase& attention, int64_t k = 4);

// The same, and the gradients.
void ExpectMatchesOracle(const AttentionCase& attention, int64_t k = 4);

// Expects the outputs, row-major, that some call gave for these inputs to match
// the oracle.
void ExpectOutputsMatchOracle(const AttentionInputs<float>& inputs,
                              const AttentionOptions& options,
                              const std::vector<float>& out,
                              const std::vector<float>& logsumexp);

// Expects what MergeAttention made of the results of the case for some of its
// keys each, rounded as they are, to match the oracle.
void ExpectMergedMatchesOracle(const AttentionCase& attention,
                               const ForwardResult& merged);

}  // namespace keylens

#endif  // KEYLENS_TESTS_ATTENTION_MATCHES_ORACLE_H_
