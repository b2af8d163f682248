#ifndef KEYLENS_TESTS_SCORE_MOD_MOD_TESTING_H_
#define KEYLENS_TESTS_SCORE_MOD_MOD_TESTING_H_

#include <keylens/score_mod.h>

#include <cstdint>
#include <functional>

namespace keylens {

// What becomes of a score: (score, batch, head, query, key).
using ScoreFormula =
    std::function<double(double, int64_t, int64_t, int64_t, int64_t)>;

// Expects `mod` to do what `formula` says, on tiles of every kind of place and
// size within `shape`: Forward gives its value and Backward multiplies by its
// derivative, found by central differences in double, to within the rounding of
// a few operations in float. Neither touches anything else, not even between
// the rows of the tile; a gradient of 0 stays 0, also where the score was NaN.
void ExpectModIs(const ScoreMod& mod, const ScoreShape& shape,
                 const ScoreFormula& formula);

}  // namespace keylens

#endif  // KEYLENS_TESTS_SCORE_MOD_MOD_TESTING_H_
