#ifndef KEYLENS_TESTS_ATTENTION_EDGE_MASKS_H_
#define KEYLENS_TESTS_ATTENTION_EDGE_MASKS_H_

#include <keylens/attention.h>

#include <cstdint>
#include <vector>

#include "tests/attention/attention_case.h"

// The case of the tests of masks, and what they expect of it.

namespace keylens::edge_masks {

inline constexpr int64_t kQueries = 37;
inline constexpr int64_t kKeys = 71;
inline constexpr AttentionShape kShape = {2, 4, 2, kQueries, kKeys, 13, 10};

// Expects the rows of `empty` queries to hold what an empty row must, in every
// result and every head, and everything to match the oracle.
void ExpectEmptyRows(const AttentionCase& attention,
                     const std::vector<int64_t>& empty);

// Expects two masks, null for none, to give the same bits.
void ExpectSameOutputs(const Mask* mask, const Mask* other);

}  // namespace keylens::edge_masks

#endif  // KEYLENS_TESTS_ATTENTION_EDGE_MASKS_H_
