// The exponentials of a whole tile of rows, until its statistics can be made.

#if defined(KEYLENS_SRC_ATTENTION_PASSES_KEPT_TILE_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef KEYLENS_SRC_ATTENTION_PASSES_KEPT_TILE_INL_H_
#undef KEYLENS_SRC_ATTENTION_PASSES_KEPT_TILE_INL_H_
#else
#define KEYLENS_SRC_ATTENTION_PASSES_KEPT_TILE_INL_H_
#endif

#include <algorithm>
#include <cmath>
#include <vector>

#include "src/attention/passes/inspection-inl.h"

HWY_BEFORE_NAMESPACE();
namespace keylens::internal::HWY_NAMESPACE {

// Needs all keys in one span.
class KeptTile {
 public:
  KeptTile(const Problem& problem, WeightStatistics& statistics)
      : statistics_(statistics),
        blocks_(static_cast<std::size_t>(CeilDiv(problem.kv_len, kBlockKeys))),
        max_(static_cast<int64_t>(blocks_.size()) * kTileRows),
        factors_(static_cast<int64_t>(blocks_.size()) * kTileRows),
        problem_(problem),
        exponentials_(static_cast<int64_t>(blocks_.size()) * kTileSize) {}

  WeightStatistics& statistics() { return statistics_; }
  float* Scores(const KeyBlock& block) {
    return exponentials_.get() + block.slot * kTileSize;
  }

  void Begin() {
    std::fill(blocks_.begin(), blocks_.end(), ScoreTile{});
    statistics_.BeginTile();
  }

  // Notes which keys the block's exponentials belong to, and the maxima that
  // they are relative to.
  void Keep(const KeyBlock& block, const ScoreTile& exponentials,
            const float* max) {
    blocks_[static_cast<std::size_t>(block.slot)] = exponentials;
    std::copy_n(max, kTileRows, max_.get() + block.slot * kTileRows);
  }

  // When the tile has met all keys.
  void Finish(const Tile& tile, const SoftmaxRows& rows) {
    alignas(64) float reference[kTileRows] = {};
    alignas(64) float inverse[kTileRows] = {};
    FinishRows(tile, rows, reference, inverse);
    int64_t next_key = 0;
    for (std::size_t slot = 0; slot < blocks_.size(); ++slot) {
      const ScoreTile& block = blocks_[slot];
      if (block.data == nullptr) continue;
      const int64_t first_row = static_cast<int64_t>(slot) * kTileRows;
      float* factors = factors_.get() + first_row;
      statistics_.AddMasked(tile, next_key, block.coord.first_key, inverse);
      MakeFactors(tile, max_.get() + first_row, reference, inverse, factors);
      statistics_.AddWeights(block, factors);
      next_key = block.coord.first_key + block.coord.num_keys;
    }
    statistics_.AddMasked(tile, next_key, problem_.kv_len, inverse);
    WriteTop(tile, inverse);
  }

 private:
  // What a row's statistics need of its end result; writes the entropy.
  void FinishRows(const Tile& tile, const SoftmaxRows& rows, float* reference,
                  float* inverse) {
    for (int64_t i = 0; i < tile.num_queries; ++i) {
      const RowResult result =
          FinishRow(rows.From(i), problem_.SinkOf(tile.head));
      reference[i] = rows.max[i] == kMinusInfinity ? 0.0f : rows.max[i];
      inverse[i] = result.inverse_sum;
      statistics_.WriteEntropy(tile, i, result.entropy);
    }
  }

  // After the factors were made. A weight is made from its score as those of
  // the tile were, with the same bits: the tile itself has left the cache.
  void WriteTop(const Tile& tile, const float* inverse) {
    for (int64_t i = 0; i < tile.num_queries; ++i) {
      const auto weight_of = [&](float score, int64_t key) {
        const int64_t place = key / kBlockKeys * kTileRows + i;
        return ExpOf(score - max_[place]) * factors_[place];
      };
      statistics_.WriteTop(tile, i, std::isnan(inverse[i]), weight_of);
    }
  }

  // From the maxima that a block's exponentials are relative to, to what makes
  // weights of them.
  static void MakeFactors(const Tile& tile, const float* max,
                          const float* reference, const float* inverse,
                          float* factors) {
    const FloatTag d;
    for (int64_t i = 0; i < tile.num_queries; i += kLanes) {
      const Vec drop =
          hn::Sub(hn::Load(d, max + i), hn::Load(d, reference + i));
      hn::Store(hn::Mul(Exp(drop), hn::Load(d, inverse + i)), d, factors + i);
    }
  }

  WeightStatistics& statistics_;
  // By slot; without data where the mask left nothing.
  std::vector<ScoreTile> blocks_;
  AlignedArray<float> max_;      // by slot, then row
  AlignedArray<float> factors_;  // likewise
  const Problem& problem_;
  AlignedArray<float> exponentials_;
};

}  // namespace keylens::internal::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // KEYLENS_SRC_ATTENTION_PASSES_KEPT_TILE_INL_H_
