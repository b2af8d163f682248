#ifndef KEYLENS_SRC_C_API_HANDLES_H_
#define KEYLENS_SRC_C_API_HANDLES_H_

#include <keylens/attention.h>
#include <keylens/key_value_cache.h>
#include <keylens/keylens.h>
#include <keylens/mask.h>
#include <keylens/score_mod.h>

#include <memory>
#include <optional>
#include <vector>

#include "src/c_api/boundary.h"

// What the opaque types of the C API are. Masks and score mods are shared: who
// was given one keeps it alive.

struct keylens_mask {
  std::shared_ptr<const keylens::Mask> mask;
};

struct keylens_score_mod {
  std::shared_ptr<const keylens::ScoreMod> mod;
};

struct keylens_options {
  std::optional<float> scale;
  std::shared_ptr<const keylens::Mask> mask;
  std::vector<std::shared_ptr<const keylens::ScoreMod>> score_mods;
  std::vector<float> sinks;
  keylens::Dropout dropout;
  int num_threads = 0;
};

struct keylens_key_value_cache {
  keylens::KeyValueCache cache;
};

namespace keylens::c_api {

// What a call takes: the defaults where `options` is null. Good as long as
// `options` is there and not changed.
AttentionOptions ToOptions(const keylens_options* options);

// A tile in C's words, for callbacks.
keylens_score_shape ToC(const ScoreShape& shape);
keylens_tile_coord ToC(const TileCoord& coord);
keylens_score_tile ToC(const ScoreTile& tile);

}  // namespace keylens::c_api

#endif  // KEYLENS_SRC_C_API_HANDLES_H_
