// The one loop over tiles of scores. What is done with a tile is the consumer's
// business.

#if defined(KEYLENS_SRC_ATTENTION_TILE_TILE_LOOP_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef KEYLENS_SRC_ATTENTION_TILE_TILE_LOOP_INL_H_
#undef KEYLENS_SRC_ATTENTION_TILE_TILE_LOOP_INL_H_
#else
#define KEYLENS_SRC_ATTENTION_TILE_TILE_LOOP_INL_H_
#endif

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

#include "src/attention/plan/aligned_array.h"
#include "src/attention/tile/micro_kernel-inl.h"
#include "src/attention/tile/pack-inl.h"
#include "src/attention/tile/score_stage.h"

HWY_BEFORE_NAMESPACE();
namespace keylens::internal::HWY_NAMESPACE {

// kBlockKeys keys of a span, the last ones of a unit fewer. `slot` numbers the
// blocks of a span from 0.
struct KeyBlock {
  int64_t slot = 0;
  int64_t first_key = 0;
  int64_t num_keys = 0;
};

// A worker's packed queries (one tile) and keys (one span).
class TileLoopMemory {
 public:
  TileLoopMemory(const Problem& problem, int64_t span_keys)
      : span_keys_(span_keys),
        query_(PackedRowsSize(kTileRows, problem.head_dim)),
        keys_(PackedColumnsSize(problem.head_dim, span_keys)),
        packed_(static_cast<std::size_t>(span_keys / kBlockKeys)) {}

  int64_t span_keys() const { return span_keys_; }
  float* query() const { return query_.get(); }
  float* KeysOf(const KeyBlock& block, int64_t head_dim) const {
    return keys_.get() + block.slot * kBlockKeys * head_dim;
  }

  void StartSpan() { std::fill(packed_.begin(), packed_.end(), 0); }

  // Whether this is the first time that the span's block is asked for.
  bool TakeUnpacked(const KeyBlock& block) {
    char& packed = packed_[static_cast<std::size_t>(block.slot)];
    return std::exchange(packed, char{1}) == 0;
  }

 private:
  int64_t span_keys_;
  AlignedArray<float> query_;
  AlignedArray<float> keys_;
  std::vector<char> packed_;
};

// Lanes between the last key and the end of its vector: -inf, so that they
// weigh nothing.
inline void MaskTail(const ScoreTile& scores) {
  const int64_t end = RoundUp(scores.coord.num_keys, kLanes);
  for (int64_t i = 0;
       scores.coord.num_keys < end && i < scores.coord.num_queries; ++i) {
    std::fill(scores.Row(i) + scores.coord.num_keys, scores.Row(i) + end,
              -std::numeric_limits<float>::infinity());
  }
}

// From scale * query key^T to scores: score mods -> mask, here and nowhere
// else. `saved`: see ModifyAndMask.
inline void FinishScores(const Problem& problem, TileClass tile_class,
                         const ScoreTile& scores, float* saved) {
  ModifyAndMask(problem, tile_class, scores, saved);
  MaskTail(scores);
}

// The scores of a tile of packed queries and keys.
inline void ComputeScores(const Problem& problem, const float* query,
                          const float* keys, int64_t key_offset,
                          TileClass tile_class, const ScoreTile& scores,
                          float* saved) {
  Product<PackedRows, Result::kScaled>(
      query, scores.coord.num_queries, keys + key_offset * problem.head_dim,
      problem.head_dim, 0, scores.coord.num_keys, problem.head_dim,
      &problem.scale, scores.data, scores.row_stride);
  FinishScores(problem, tile_class, scores, saved);
}

// A tile meets the spans in order, and within them the blocks; blocks that the
// mask empties are left out. A consumer has
//
//   void BeginTile(const Tile&)
//       before a tile meets the keys of a span
//   void MeetTile(const Tile&)
//       before its first block with live keys, if it has one
//   bool Wants(const KeyBlock&)
//       whether the block is to be computed at all
//   void Pack(const KeyBlock&)
//       before the first tile of a span that meets the block
//   float* Scores(const KeyBlock&)
//       where to put kTileSize scores
//   float* SavedScores()
//       for ModifyAndMask
//   void Consume(const Tile&, const KeyBlock&, const ScoreTile&)
//       scores of the live stretch of the block
//   void EndTile(const Tile&)
//       after the tile has met the keys of a span
template <typename T, typename Consumer>
class TileLoop {
 public:
  TileLoop(const Problem& problem, const AttentionInputs<T>& inputs,
           const Unit& unit, TileLoopMemory& memory, Consumer& consumer)
      : problem_(problem),
        inputs_(inputs),
        unit_(unit),
        memory_(memory),
        consumer_(consumer) {}

  void Run() {
    int64_t first = unit_.first_key;
    do {
      const int64_t end = std::min(first + memory_.span_keys(), unit_.end_key);
      memory_.StartSpan();
      for (int64_t index = 0; index < unit_.NumTiles(); ++index) {
        RunTile(TileOf(problem_, unit_, index), first, end);
      }
      first = end;
    } while (first < unit_.end_key);
  }

 private:
  void RunTile(const Tile& tile, int64_t first_key, int64_t end_key) {
    consumer_.BeginTile(tile);
    tile_is_met_ = false;
    for (int64_t key = first_key; key < end_key; key += kBlockKeys) {
      RunBlock(tile, {(key - first_key) / kBlockKeys, key,
                      std::min(kBlockKeys, end_key - key)});
    }
    consumer_.EndTile(tile);
  }

  void RunBlock(const Tile& tile, const KeyBlock& block) {
    if (!consumer_.Wants(block)) return;
    TileCoord coord{problem_.first_batch + tile.batch,
                    tile.head,
                    tile.first_query,
                    tile.num_queries,
                    block.first_key,
                    block.num_keys,
                    problem_.query_len,
                    problem_.kv_len};
    const LiveKeys live = FindLiveKeys(problem_.mask, coord);
    if (live.count == 0) return;
    if (!std::exchange(tile_is_met_, true)) {
      consumer_.MeetTile(tile);
      PackQuery(tile);
      if (tile.index + 1 < unit_.NumTiles()) PrefetchQuery(tile.index + 1);
    }
    if (memory_.TakeUnpacked(block)) {
      PackKeys(block);
      consumer_.Pack(block);
    }
    coord.first_key = live.first;
    coord.num_keys = live.count;
    const ScoreTile scores{consumer_.Scores(block), kScoreStride, coord};
    ComputeScores(problem_, memory_.query(),
                  memory_.KeysOf(block, problem_.head_dim),
                  live.first - block.first_key, live.tile_class, scores,
                  consumer_.SavedScores());
    consumer_.Consume(tile, block, scores);
  }

  Matrix<const T> QueryOf(const Tile& tile) const {
    return HeadRows(inputs_.query, tile.batch, tile.head, tile.first_query,
                    tile.num_queries);
  }

  void PackQuery(const Tile& tile) { PackRows(QueryOf(tile), memory_.query()); }

  void PrefetchQuery(int64_t index) const {
    PrefetchMatrix(QueryOf(TileOf(problem_, unit_, index)));
  }

  void PackKeys(const KeyBlock& block) {
    PackColumns(HeadRows(inputs_.key, unit_.batch, unit_.kv_head,
                         block.first_key, block.num_keys)
                    .Transposed(),
                memory_.KeysOf(block, problem_.head_dim), problem_.head_dim);
  }

  const Problem& problem_;
  const AttentionInputs<T>& inputs_;
  const Unit& unit_;
  TileLoopMemory& memory_;
  Consumer& consumer_;
  bool tile_is_met_ = false;
};

}  // namespace keylens::internal::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // KEYLENS_SRC_ATTENTION_TILE_TILE_LOOP_INL_H_
