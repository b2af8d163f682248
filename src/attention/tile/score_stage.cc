#include "src/attention/tile/score_stage.h"

#include <algorithm>
#include <cassert>
#include <cstring>
#include <vector>

#include "src/attention/plan/tile_geometry.h"

namespace keylens::internal {
namespace {

void CopyTile(const ScoreTile& from, const ScoreTile& to) {
  for (int64_t i = 0; i < from.coord.num_queries; ++i) {
    std::copy_n(from.Row(i), from.coord.num_keys, to.Row(i));
  }
}

TileClass ClassOfKeys(const Mask& mask, TileCoord block, int64_t first_key,
                      int64_t num_keys) {
  block.first_key = first_key;
  block.num_keys = num_keys;
  return mask.Classify(block);
}

ScoreTile SavedTile(const ScoreTile& like, float* saved, std::size_t mod) {
  return {saved + static_cast<int64_t>(mod) * kTileSize, kScoreStride,
          like.coord};
}

#ifndef NDEBUG
// A mask that says kFull for a tile that Apply would change is wrong, and gives
// different weights for different tile sizes.
void AssertFull(const Mask& mask, const ScoreTile& scores) {
  std::vector<float> zeros(static_cast<std::size_t>(scores.coord.num_queries *
                                                    scores.coord.num_keys),
                           0.0f);
  mask.Apply({zeros.data(), scores.coord.num_keys, scores.coord});
  const bool mask_changes_no_full_tile = std::all_of(
      zeros.begin(), zeros.end(), [](float s) { return s == 0.0f; });
  assert(mask_changes_no_full_tile);
}
#endif

}  // namespace

LiveKeys FindLiveKeys(const Mask* mask, const TileCoord& block) {
  LiveKeys live{block.first_key, block.num_keys,
                mask == nullptr ? TileClass::kFull : mask->Classify(block)};
  if (live.tile_class == TileClass::kEmpty)
    return {block.first_key, 0, TileClass::kEmpty};
  if (live.tile_class == TileClass::kFull) return live;
  int64_t end = block.first_key + block.num_keys;
  while (live.first < end) {
    const int64_t step = std::min(kTrimKeys, end - live.first);
    if (ClassOfKeys(*mask, block, live.first, step) != TileClass::kEmpty) break;
    live.first += step;
  }
  while (live.first < end) {
    const int64_t start =
        std::max(live.first, block.first_key + (end - block.first_key - 1) /
                                                   kTrimKeys * kTrimKeys);
    if (ClassOfKeys(*mask, block, start, end - start) != TileClass::kEmpty)
      break;
    end = start;
  }
  live.count = end - live.first;
  return live;
}

void ModifyAndMask(const Problem& problem, TileClass tile_class,
                   const ScoreTile& scores, float* saved) {
  for (std::size_t mod = 0; mod < problem.score_mods.size(); ++mod) {
    if (saved != nullptr && problem.score_mods[mod]->BackwardReadsScores()) {
      CopyTile(scores, SavedTile(scores, saved, mod));
    }
    problem.score_mods[mod]->Forward(scores);
  }
  if (tile_class != TileClass::kFull) problem.mask->Apply(scores);
#ifndef NDEBUG
  if (tile_class == TileClass::kFull && problem.mask != nullptr)
    AssertFull(*problem.mask, scores);
#endif
}

void UndoScoreMods(const Problem& problem, const ScoreTile& gradient,
                   float* saved) {
  for (std::size_t mod = problem.score_mods.size(); mod-- > 0;) {
    const bool reads = problem.score_mods[mod]->BackwardReadsScores();
    const ScoreTile before = reads ? SavedTile(gradient, saved, mod)
                                   : ScoreTile{nullptr, 0, gradient.coord};
    problem.score_mods[mod]->Backward(before, gradient);
  }
}

}  // namespace keylens::internal
