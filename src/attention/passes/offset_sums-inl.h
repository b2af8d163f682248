// Sums of weights along the diagonals of a tile: over all places that have the
// same offset from query to key.

#if defined(KEYLENS_SRC_ATTENTION_PASSES_OFFSET_SUMS_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef KEYLENS_SRC_ATTENTION_PASSES_OFFSET_SUMS_INL_H_
#undef KEYLENS_SRC_ATTENTION_PASSES_OFFSET_SUMS_INL_H_
#else
#define KEYLENS_SRC_ATTENTION_PASSES_OFFSET_SUMS_INL_H_
#endif

#include <algorithm>

#include "src/attention/plan/tile_geometry.h"
#include "src/attention/tile/lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace keylens::internal::HWY_NAMESPACE {

// The offsets of a tile: key j of row i of the tile is at j - i + kTileRows
// - 1.
inline constexpr int64_t kTileOffsets = kTileRows + kBlockKeys - 1;

// Rows of a tile that are added up together. Where the diagonals of a group
// start and end its rows are met one by one, and each group loads and stores
// the sums once: more rows would make the first dear, fewer the second.
inline constexpr int64_t kOffsetRows = 8;

// Adds weights[row][j] * factors[row] of some rows to the sums of their
// offsets.
class OffsetSumsOfRows {
 public:
  OffsetSumsOfRows(const ScoreTile& weights, const float* factors,
                   int64_t first_row, int64_t num_rows, float* sums)
      : weights_(weights),
        factors_(factors + first_row),
        first_row_(first_row),
        last_(num_rows - 1),
        sums_(sums + kTileRows - 1 - (first_row + last_)) {}

  // Diagonal d has key d - last_ + i of row i; those from last_ to num_keys
  // have one of every row.
  void Add() const {
    const int64_t num_keys = weights_.coord.num_keys;
    int64_t d = 0;
    for (; d < last_; ++d) AddCut(d);
    for (; d + 8 * kLanes <= num_keys; d += 8 * kLanes) AddWhole<8>(d);
    for (; d + kLanes <= num_keys; d += kLanes) AddWhole<1>(d);
    for (; d < num_keys + last_; ++d) AddCut(d);
  }

 private:
  // kVecs vectors of diagonals that have a key of every row.
  template <int kVecs>
  void AddWhole(int64_t d) const {
    const FloatTag tag;
    Vec totals[kVecs];
    for (int v = 0; v < kVecs; ++v)
      totals[v] = hn::LoadU(tag, sums_ + d + v * kLanes);
    for (int64_t i = 0; i <= last_; ++i) {
      const Vec factor = hn::Set(tag, factors_[i]);
      const float* at = weights_.Row(first_row_ + i) + d - last_ + i;
      for (int v = 0; v < kVecs; ++v) {
        totals[v] =
            hn::MulAdd(hn::LoadU(tag, at + v * kLanes), factor, totals[v]);
      }
    }
    for (int v = 0; v < kVecs; ++v)
      hn::StoreU(totals[v], tag, sums_ + d + v * kLanes);
  }

  void AddCut(int64_t d) const {
    const int64_t first = std::max<int64_t>(0, last_ - d);
    const int64_t end =
        std::min(last_ + 1, weights_.coord.num_keys + last_ - d);
    for (int64_t i = first; i < end; ++i)
      sums_[d] += weights_.Row(first_row_ + i)[d - last_ + i] * factors_[i];
  }

  const ScoreTile& weights_;
  const float* factors_;
  int64_t first_row_;
  int64_t last_;  // the last of the rows, from first_row_
  float* sums_;
};

// sums: kTileOffsets numbers, overwritten. Each is added up in the order of the
// rows.
inline void OffsetSums(const ScoreTile& weights, const float* factors,
                       float* sums) {
  std::fill_n(sums, kTileOffsets, 0.0f);
  const int64_t num_rows = weights.coord.num_queries;
  for (int64_t row = 0; row < num_rows; row += kOffsetRows) {
    const int64_t rows = std::min(kOffsetRows, num_rows - row);
    OffsetSumsOfRows(weights, factors, row, rows, sums).Add();
  }
}

}  // namespace keylens::internal::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // KEYLENS_SRC_ATTENTION_PASSES_OFFSET_SUMS_INL_H_
