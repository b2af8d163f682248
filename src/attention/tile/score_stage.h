#ifndef KEYLENS_SRC_ATTENTION_TILE_SCORE_STAGE_H_
#define KEYLENS_SRC_ATTENTION_TILE_SCORE_STAGE_H_

#include <keylens/mask.h>

#include <cstdint>

#include "src/attention/plan/problem.h"

namespace keylens::internal {

// The keys of a block that need work.
struct LiveKeys {
  int64_t first = 0;
  int64_t count = 0;  // 0: none
  TileClass tile_class = TileClass::kEmpty;
};

// What `mask` (null: none) leaves of the block, less the empty stretches at
// either end.
LiveKeys FindLiveKeys(const Mask* mask, const TileCoord& block);

// From scaled products to masked scores, in place: the score mods in order,
// then the mask. `saved`, unless null, has kTileSize floats for each mod; what
// a mod is given is copied there if its Backward reads it.
void ModifyAndMask(const Problem& problem, TileClass tile_class,
                   const ScoreTile& scores, float* saved);

// From the gradient by what ModifyAndMask left to the gradient by what it was
// given, in place.
void UndoScoreMods(const Problem& problem, const ScoreTile& gradient,
                   float* saved);

}  // namespace keylens::internal

#endif  // KEYLENS_SRC_ATTENTION_TILE_SCORE_STAGE_H_
