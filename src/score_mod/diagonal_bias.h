#ifndef KEYLENS_SRC_SCORE_MOD_DIAGONAL_BIAS_H_
#define KEYLENS_SRC_SCORE_MOD_DIAGONAL_BIAS_H_

#include <keylens/score_mod.h>

#include <cstdint>
#include <vector>

#include "src/mask/alignment.h"

namespace keylens {

// Adds bias_of(offset), a float, to each score, where offset = key - the key
// that its query stands beside, bottom right. Such a bias is one number for
// each diagonal of the tile: it is asked for once, and each row adds a stretch
// of the same numbers.
template <typename BiasOf>
void AddToDiagonals(const ScoreTile& scores, BiasOf bias_of) {
  const TileCoord& coord = scores.coord;
  const int64_t last_row = coord.num_queries - 1;
  const int64_t first_offset =
      coord.first_key - KeyBeside(CausalAlignment::kBottomRight, coord,
                                  coord.first_query + last_row);
  std::vector<float> diagonals(
      static_cast<std::size_t>(last_row + coord.num_keys));
  int64_t offset = first_offset;
  for (float& bias : diagonals) bias = bias_of(offset++);
  for (int64_t i = 0; i < coord.num_queries; ++i) {
    const float* bias = diagonals.data() + (last_row - i);
    float* row = scores.Row(i);
    for (int64_t j = 0; j < coord.num_keys; ++j) row[j] += bias[j];
  }
}

}  // namespace keylens

#endif  // KEYLENS_SRC_SCORE_MOD_DIAGONAL_BIAS_H_
