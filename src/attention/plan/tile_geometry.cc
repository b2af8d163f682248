#include "src/attention/plan/tile_geometry.h"

#include <algorithm>

namespace keylens::internal {

Tile TileOf(const Problem& problem, const Unit& unit, int64_t index) {
  const int64_t per_head = TilesPerHead(problem);
  const int64_t in_group = unit.first_tile + index;
  Tile tile;
  tile.index = index;
  tile.batch = unit.batch;
  tile.head = unit.kv_head * problem.GroupSize() + in_group / per_head;
  tile.first_query = in_group % per_head * kTileRows;
  tile.num_queries = std::min(kTileRows, problem.query_len - tile.first_query);
  return tile;
}

}  // namespace keylens::internal
