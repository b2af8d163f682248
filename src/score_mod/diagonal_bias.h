#ifndef KEYLENS_SRC_SCORE_MOD_DIAGONAL_BIAS_H_
#define KEYLENS_SRC_SCORE_MOD_DIAGONAL_BIAS_H_

#include <keylens/score_mod.h>

#include <cstdint>
#include <vector>

#include "src/mask/alignment.h"

namespace keylens {

// The diagonals of a tile, numbered from that of its last row's first score:
// score j of row i is on diagonal (last_row - i) + j.
struct Diagonals {
  explicit Diagonals(const TileCoord& coord)
      : last_row(coord.num_queries - 1),
        count(last_row + coord.num_keys),
        first_offset(coord.first_key -
                     KeyBeside(CausalAlignment::kBottomRight, coord,
                               coord.first_query + last_row)) {}

  int64_t last_row;
  int64_t count;
  int64_t first_offset;  // of diagonal 0: key - the key its query stands
                         // beside, bottom right
};

// Adds bias_of(offset), a float, to each score. Such a bias is one number for
// each diagonal of the tile: it is asked for once, and each row adds a stretch
// of the same numbers.
template <typename BiasOf>
void AddToDiagonals(const ScoreTile& scores, BiasOf bias_of) {
  const Diagonals diagonals(scores.coord);
  std::vector<float> biases(static_cast<std::size_t>(diagonals.count));
  int64_t offset = diagonals.first_offset;
  for (float& bias : biases) bias = bias_of(offset++);
  for (int64_t i = 0; i < scores.coord.num_queries; ++i) {
    const float* bias = biases.data() + (diagonals.last_row - i);
    float* row = scores.Row(i);
    for (int64_t j = 0; j < scores.coord.num_keys; ++j) row[j] += bias[j];
  }
}

// Calls visit(offset, sum) for each diagonal of the tile.
template <typename Visit>
void ForEachDiagonalSum(const ScoreTile& tile, Visit visit) {
  const Diagonals diagonals(tile.coord);
  std::vector<float> sums(static_cast<std::size_t>(diagonals.count), 0.0f);
  for (int64_t i = 0; i < tile.coord.num_queries; ++i) {
    float* sum = sums.data() + (diagonals.last_row - i);
    const float* row = tile.Row(i);
    for (int64_t j = 0; j < tile.coord.num_keys; ++j) sum[j] += row[j];
  }
  int64_t offset = diagonals.first_offset;
  for (const float sum : sums) visit(offset++, sum);
}

}  // namespace keylens

#endif  // KEYLENS_SRC_SCORE_MOD_DIAGONAL_BIAS_H_
