#ifndef KEYLENS_TESTS_MASK_MASK_TESTING_H_
#define KEYLENS_TESTS_MASK_MASK_TESTING_H_

#include <keylens/mask.h>

#include <cstdint>
#include <functional>

namespace keylens {

// Whether the key is live: (batch, head, query, key).
using IsLive = std::function<bool(int64_t, int64_t, int64_t, int64_t)>;

// Expects `mask` to do what `is_live` says, on tiles of every kind of place and
// size within `shape`: Apply writes -inf over exactly the masked scores and
// touches nothing else, not even between the rows of the tile; Classify is
// right, and where `exact` never calls a tile partial that is empty or full.
void ExpectMaskIs(const Mask& mask, const ScoreShape& shape,
                  const IsLive& is_live, bool exact = true);

}  // namespace keylens

#endif  // KEYLENS_TESTS_MASK_MASK_TESTING_H_
