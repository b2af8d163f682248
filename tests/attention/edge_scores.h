#ifndef KEYLENS_TESTS_ATTENTION_EDGE_SCORES_H_
#define KEYLENS_TESTS_ATTENTION_EDGE_SCORES_H_

#include <cstdint>
#include <functional>
#include <vector>

#include "tests/attention/attention_case.h"

// The cases of the tests of scores, and what they expect of them.

namespace keylens::edge_scores {

inline constexpr int64_t kQueries = 29;
inline constexpr int64_t kKeys = 83;
inline constexpr AttentionShape kShape = {1, 3, 3, kQueries, kKeys, 11, 7};

// One head whose score of query i and key j is exactly scale * a_i * b_j.
AttentionCase WithScores(const std::vector<float>& query_factor,
                         const std::vector<float>& key_factor, float scale = 1);

std::vector<float> WeightsOf(const AttentionCase& attention);

// Expects query `poisoned` of head 0 to be NaN in out, weights and logsumexp,
// and every other row of every head to have the bits it has in `clean`. Both
// are of kShape.
void ExpectOnlyOneRowIsNan(const AttentionCase& attention,
                           const AttentionCase& clean, int64_t poisoned);

// Fills the keys and values of places that no query may see.
void Poison(AttentionCase& attention,
            const std::function<bool(int64_t)>& hidden);

// Expects the poison to change no bit of any result.
void ExpectUnharmed(const AttentionCase& attention, const AttentionCase& clean);

}  // namespace keylens::edge_scores

#endif  // KEYLENS_TESTS_ATTENTION_EDGE_SCORES_H_
