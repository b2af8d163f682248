#ifndef KEYLENS_TESTS_ATTENTION_RANDOM_TILE_H_
#define KEYLENS_TESTS_ATTENTION_RANDOM_TILE_H_

#include <keylens/mask.h>

#include <cstdint>
#include <random>

namespace keylens {

// A tile of any place and size within `shape`, all of whose axes have a length.
inline TileCoord RandomTile(std::mt19937_64& random, const ScoreShape& shape) {
  const auto below = [&random](int64_t end) {
    return std::uniform_int_distribution<int64_t>(0, end - 1)(random);
  };
  TileCoord coord;
  coord.batch = below(shape.batch);
  coord.head = below(shape.num_heads);
  coord.first_query = below(shape.query_len);
  coord.num_queries = 1 + below(shape.query_len - coord.first_query);
  coord.first_key = below(shape.kv_len);
  coord.num_keys = 1 + below(shape.kv_len - coord.first_key);
  coord.query_len = shape.query_len;
  coord.kv_len = shape.kv_len;
  return coord;
}

}  // namespace keylens

#endif  // KEYLENS_TESTS_ATTENTION_RANDOM_TILE_H_
