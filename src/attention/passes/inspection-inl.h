// Statistics of the weights, tile by tile.

#if defined(KEYLENS_SRC_ATTENTION_PASSES_INSPECTION_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef KEYLENS_SRC_ATTENTION_PASSES_INSPECTION_INL_H_
#undef KEYLENS_SRC_ATTENTION_PASSES_INSPECTION_INL_H_
#else
#define KEYLENS_SRC_ATTENTION_PASSES_INSPECTION_INL_H_
#endif

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "src/attention/passes/offset_sums-inl.h"
#include "src/attention/passes/statistics.h"
#include "src/attention/passes/top_scan-inl.h"
#include "src/attention/tile/softmax-inl.h"

HWY_BEFORE_NAMESPACE();
namespace keylens::internal::HWY_NAMESPACE {

// sums[j] = sum over the listed rows of weights[row][j] * factors[row], for
// kVecs vectors from column j on.
template <int kVecs>
void ColumnSumsAt(const ScoreTile& weights, const float* factors,
                  const std::vector<int64_t>& rows, int64_t j, float* sums) {
  const FloatTag d;
  Vec columns[kVecs];
  for (int v = 0; v < kVecs; ++v) columns[v] = hn::Zero(d);
  for (const int64_t row : rows) {
    const Vec factor = hn::Set(d, factors[row]);
    const float* at = weights.Row(row) + j;
    for (int v = 0; v < kVecs; ++v)
      columns[v] = hn::MulAdd(hn::Load(d, at + v * kLanes), factor, columns[v]);
  }
  for (int v = 0; v < kVecs; ++v)
    hn::Store(columns[v], d, sums + j + v * kLanes);
}

inline void ColumnSums(const ScoreTile& weights, const float* factors,
                       const std::vector<int64_t>& rows, float* sums) {
  const int64_t end = RoundUp(weights.coord.num_keys, kLanes);
  int64_t j = 0;
  for (; j + 8 * kLanes <= end; j += 8 * kLanes)
    ColumnSumsAt<8>(weights, factors, rows, j, sums);
  for (; j < end; j += kLanes) ColumnSumsAt<1>(weights, factors, rows, j, sums);
}

inline void WriteScaled(const float* row, int64_t size, float factor, float* to,
                        int64_t to_stride) {
  if (to_stride == 1) {
    for (int64_t j = 0; j < size; ++j) to[j] = row[j] * factor;
  } else {
    for (int64_t j = 0; j < size; ++j) to[j * to_stride] = row[j] * factor;
  }
}

// How long the top keys of a row are gathered: until its tile has met all keys
// at once, or, where it meets them span by span, until the unit ends. The first
// needs memory for one tile, which stays in a cache.
enum class TopScope { kTile, kUnit };

// Gathers the statistics of one unit.
class WeightStatistics {
 public:
  WeightStatistics(const Problem& problem, const Inspection& inspection,
                   const Slices& slices, TopScope top_scope)
      : problem_(problem),
        inspection_(inspection),
        slices_(slices),
        top_scope_(top_scope),
        top_(TopRows(inspection, slices, top_scope), TopCount(inspection)) {
    std::fill_n(zeros_, kScoreStride, 0.0f);
  }

  const Inspection& inspection() const { return inspection_; }
  bool WantsEntropy() const { return inspection_.entropy.data != nullptr; }

  void BeginUnit(int64_t slice) {
    key_mass_ = slices_.KeyMass(slice);
    pooled_ = slices_.Pooled(slice);
    offset_mass_ = slices_.OffsetMass(slice);
    first_query_ = slices_.FirstQuery(slice);
    top_.Clear();
  }

  void BeginTile() {
    if (top_scope_ == TopScope::kTile) top_.Clear();
  }

  // The masked scores of a tile's block, before they become weights.
  void OfferScores(const Tile& tile, const ScoreTile& scores) {
    if (top_.k() == 0) return;
    for (int64_t i = 0; i < scores.coord.num_queries; ++i) {
      OfferRow(scores.Row(i), scores.coord.num_keys, scores.coord.first_key,
               TopRow(tile, i), top_);
    }
  }

  // The block's weights: weights[i][j] * factors[i].
  void AddWeights(const ScoreTile& weights, const float* factors) {
    if (inspection_.weights.data != nullptr) WriteWeights(weights, factors);
    if (key_mass_ != nullptr) {
      rows_.resize(static_cast<std::size_t>(weights.coord.num_queries));
      std::iota(rows_.begin(), rows_.end(), 0);
      ColumnSums(weights, factors, rows_, sums_);
      AddToKeyMass(weights.coord);
    }
    if (pooled_ != nullptr) AddToPooled(weights, factors);
    if (offset_mass_ != nullptr) AddToOffsetMass(weights, factors);
  }

  // The keys [first, end), which no query of the tile sees: weights of 0, or
  // NaN where the factor is.
  void AddMasked(const Tile& tile, int64_t first, int64_t end,
                 const float* factors) {
    const bool any_nan = std::any_of(factors, factors + tile.num_queries,
                                     [](float f) { return std::isnan(f); });
    if (!any_nan && inspection_.weights.data == nullptr) return;
    for (int64_t key = first; key < end; key += kBlockKeys) {
      const TileCoord coord{tile.batch,
                            tile.head,
                            tile.first_query,
                            tile.num_queries,
                            key,
                            std::min(kBlockKeys, end - key),
                            problem_.query_len,
                            problem_.kv_len};
      AddWeights({zeros_, 0, coord}, factors);
    }
  }

  void WriteEntropy(const Tile& tile, int64_t row, float entropy) const {
    if (WantsEntropy())
      *ElementOf(inspection_.entropy, tile.batch, tile.head,
                 tile.first_query + row) = entropy;
  }

  // weight_of(score, key) is the weight of a live key of the row.
  template <typename WeightOf>
  void WriteTop(const Tile& tile, int64_t row, bool row_is_nan,
                const WeightOf& weight_of) {
    if (top_.k() == 0) return;
    heaviest_.clear();
    if (row_is_nan) {
      heaviest_ = NanTopKeys(TopCount(inspection_), problem_.kv_len);
    } else {
      const auto candidates = top_.Candidates(TopRow(tile, row));
      const int64_t count = SortCandidates(candidates, top_.k());
      for (const TopKeys::Entry& entry :
           candidates.first(static_cast<std::size_t>(count))) {
        heaviest_.push_back({weight_of(entry.score, entry.key), entry.key});
      }
    }
    WriteTopKeys(inspection_, tile, row, heaviest_);
  }

 private:
  static int64_t TopRows(const Inspection& inspection, const Slices& slices,
                         TopScope scope) {
    if (TopCount(inspection) == 0) return 0;
    return scope == TopScope::kTile ? kTileRows
                                    : slices.max_tiles() * kTileRows;
  }

  int64_t TopRow(const Tile& tile, int64_t row) const {
    return top_scope_ == TopScope::kTile ? row : tile.FirstRow() + row;
  }

  void AddToKeyMass(const TileCoord& coord) {
    double* key_mass = key_mass_ + coord.first_key;
    for (int64_t j = 0; j < coord.num_keys; ++j) key_mass[j] += sums_[j];
  }

  void AddToOffsetMass(const ScoreTile& weights, const float* factors) {
    const TileCoord& coord = weights.coord;
    OffsetSums(weights, factors, sums_);
    const int64_t first = kTileRows - coord.num_queries;
    double* to = offset_mass_ + coord.first_key -
                 (coord.first_query - first_query_) - (kTileRows - 1);
    for (int64_t d = first; d < kTileRows - 1 + coord.num_keys; ++d)
      to[d] += sums_[d];
  }

  // Adds up the columns for the rows of each query group, then the sums for the
  // keys of each key group.
  void AddToPooled(const ScoreTile& weights, const float* factors) {
    const int32_t* groups =
        inspection_.query_group.data() + weights.coord.first_query;
    const int64_t num_rows = weights.coord.num_queries;
    const bool sums_are_of_all_rows = key_mass_ != nullptr;
    for (int64_t first = 0; first < num_rows; ++first) {
      const int32_t group = groups[first];
      if (group < 0 ||
          std::find(groups, groups + first, group) != groups + first) {
        continue;
      }
      rows_.clear();
      for (int64_t i = first; i < num_rows; ++i) {
        if (groups[i] == group) rows_.push_back(i);
      }
      const bool all_rows = static_cast<int64_t>(rows_.size()) == num_rows;
      if (!all_rows || !sums_are_of_all_rows) {
        ColumnSums(weights, factors, rows_, sums_);
      }
      AddToKeyGroups(weights.coord,
                     pooled_ + group * inspection_.pooled.shape[3]);
    }
  }

  void AddToKeyGroups(const TileCoord& coord, double* pooled) const {
    const int32_t* groups = inspection_.key_group.data() + coord.first_key;
    for (int64_t j = 0; j < coord.num_keys;) {
      const int32_t group = groups[j];
      double sum = 0.0;
      for (; j < coord.num_keys && groups[j] == group; ++j) sum += sums_[j];
      if (group >= 0) pooled[group] += sum;
    }
  }

  void WriteWeights(const ScoreTile& weights, const float* factors) const {
    const TensorView<float, 4>& view = inspection_.weights;
    const TileCoord& coord = weights.coord;
    const int64_t begin =
        std::max(inspection_.query_rows.begin, coord.first_query);
    const int64_t end = std::min(inspection_.query_rows.begin + view.shape[2],
                                 coord.first_query + coord.num_queries);
    for (int64_t query = begin; query < end; ++query) {
      const float* row = weights.Row(query - coord.first_query);
      const float factor = factors[query - coord.first_query];
      float* to = view.data + coord.batch * view.strides[0] +
                  coord.head * view.strides[1] +
                  (query - inspection_.query_rows.begin) * view.strides[2] +
                  coord.first_key * view.strides[3];
      WriteScaled(row, coord.num_keys, factor, to, view.strides[3]);
    }
  }

  const Problem& problem_;
  const Inspection& inspection_;
  const Slices& slices_;
  double* key_mass_ = nullptr;
  double* pooled_ = nullptr;
  double* offset_mass_ = nullptr;  // of offset 0
  int64_t first_query_ = 0;        // of the unit
  TopScope top_scope_;
  TopKeys top_;
  std::vector<WeightedKey> heaviest_;
  std::vector<int64_t> rows_;
  alignas(64) float sums_[kTileOffsets];  // of columns, or of offsets
  alignas(64) float zeros_[kScoreStride];
};

}  // namespace keylens::internal::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // KEYLENS_SRC_ATTENTION_PASSES_INSPECTION_INL_H_
