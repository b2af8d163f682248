#include "tests/mask/mask_testing.h"

#include <gtest/gtest.h>
#include <keylens/mask.h>

#include <cstdint>
#include <limits>
#include <random>
#include <vector>

#include "tests/attention/random_tile.h"

namespace keylens {
namespace {

constexpr float kMasked = -std::numeric_limits<float>::infinity();

// The class a tile has, and what Apply should leave of the score that `before`
// gives for each place.
TileClass ClassOf(const TileCoord& coord, const IsLive& is_live) {
  int64_t live = 0;
  for (int64_t i = 0; i < coord.num_queries; ++i) {
    for (int64_t j = 0; j < coord.num_keys; ++j) {
      live += is_live(coord.batch, coord.head, coord.first_query + i,
                      coord.first_key + j);
    }
  }
  if (live == 0) return TileClass::kEmpty;
  return live == coord.num_queries * coord.num_keys ? TileClass::kFull
                                                    : TileClass::kPartial;
}

void ExpectApplied(const Mask& mask, const TileCoord& coord,
                   const IsLive& is_live) {
  const int64_t row_stride = coord.num_keys + 3;
  std::vector<float> scores(coord.num_queries * row_stride);
  for (std::size_t n = 0; n < scores.size(); ++n) scores[n] = 1.0f + n;
  mask.Apply({scores.data(), row_stride, coord});
  for (int64_t n = 0; n < static_cast<int64_t>(scores.size()); ++n) {
    const int64_t i = n / row_stride, j = n % row_stride;
    const bool live = j >= coord.num_keys ||
                      is_live(coord.batch, coord.head, coord.first_query + i,
                              coord.first_key + j);
    ASSERT_EQ(scores[n], live ? 1.0f + n : kMasked)
        << "query " << coord.first_query + i << ", key " << coord.first_key + j;
  }
}

}  // namespace

void ExpectMaskIs(const Mask& mask, const ScoreShape& shape,
                  const IsLive& is_live, bool exact) {
  ASSERT_EQ(mask.Misfit(shape), "");
  std::mt19937_64 random(shape.query_len * 1000 + shape.kv_len);
  for (int round = 0; round < 400; ++round) {
    const TileCoord coord = RandomTile(random, shape);
    SCOPED_TRACE(::testing::Message()
                 << "queries " << coord.first_query << " + "
                 << coord.num_queries << ", keys " << coord.first_key << " + "
                 << coord.num_keys);
    const TileClass wanted = ClassOf(coord, is_live);
    const TileClass actual = mask.Classify(coord);
    if (exact || actual != TileClass::kPartial) {
      ASSERT_EQ(actual, wanted);
    }
    ASSERT_NO_FATAL_FAILURE(ExpectApplied(mask, coord, is_live));
  }
}

}  // namespace keylens
