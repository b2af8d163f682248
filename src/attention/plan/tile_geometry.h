#ifndef KEYLENS_SRC_ATTENTION_PLAN_TILE_GEOMETRY_H_
#define KEYLENS_SRC_ATTENTION_PLAN_TILE_GEOMETRY_H_

#include <cstdint>

#include "src/attention/plan/problem.h"

namespace keylens::internal {

// A tile of scores is kTileRows queries by kBlockKeys keys: 48 x 256 x 4 bytes
// are 48 KiB. More rows read the packed keys and values less often, more keys
// rescale the output less often and look for heavy keys less often; both stop
// paying where the tile no longer stays close to the core. (192 keys were 2 %
// faster forward and 12 % slower with the top 8 keys.) 48 is a multiple of the
// rows of every micro kernel.
inline constexpr int64_t kTileRows = 48;
inline constexpr int64_t kBlockKeys = 256;

// From one row of a tile to the next, in floats. 16 more than a row: rows whose
// distance divides 4096 bytes would share the same few sets of that cache.
inline constexpr int64_t kScoreStride = kBlockKeys + 16;

// Floats of one tile.
inline constexpr int64_t kTileSize = kTileRows * kScoreStride;

// Blocks that a mask cuts are trimmed at either end in steps of this many keys,
// whole panels of packed keys.
inline constexpr int64_t kTrimKeys = 32;

constexpr int64_t RoundUp(int64_t n, int64_t multiple) {
  return (n + multiple - 1) / multiple * multiple;
}
constexpr int64_t CeilDiv(int64_t n, int64_t d) { return (n + d - 1) / d; }

// What one worker does without looking at any other: tiles [first_tile,
// end_tile) of the query heads that share a key/value head, against keys
// [first_key, end_key). Tiles are numbered head by head.
struct Unit {
  int64_t batch = 0;
  int64_t kv_head = 0;
  int64_t first_tile = 0;
  int64_t end_tile = 0;
  int64_t first_key = 0;
  int64_t end_key = 0;

  int64_t NumTiles() const { return end_tile - first_tile; }
};

// At most kTileRows queries of one head.
struct Tile {
  int64_t index = 0;  // within its unit
  int64_t batch = 0;
  int64_t head = 0;
  int64_t first_query = 0;
  int64_t num_queries = 0;

  // Where its rows start in an array with a row for each query of the unit.
  int64_t FirstRow() const { return index * kTileRows; }
};

inline int64_t TilesPerHead(const Problem& problem) {
  return CeilDiv(problem.query_len, kTileRows);
}

// Tile `index` of the unit.
Tile TileOf(const Problem& problem, const Unit& unit, int64_t index);

}  // namespace keylens::internal

#endif  // KEYLENS_SRC_ATTENTION_PLAN_TILE_GEOMETRY_H_
