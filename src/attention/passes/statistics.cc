#include "src/attention/passes/statistics.h"

#include <algorithm>
#include <limits>

#include "src/attention/plan/parallel.h"

namespace keylens::internal {
namespace {

// A slice of fewer tiles would spend more than a few percent of its time
// packing the keys and values again.
constexpr int64_t kMinTilesPerSlice = 12;
// As many units as keep a large machine busy, so long as slices stay that long.
constexpr int64_t kWantedUnits = 64;
// Above this many group pairs the sums of several slices would outgrow the
// output.
constexpr int64_t kMaxSlicedPairs = int64_t{1} << 16;

AlignedArray<double> Zeros(int64_t size) {
  AlignedArray<double> zeros(size);
  std::fill_n(zeros.get(), size, 0.0);
  return zeros;
}

template <typename T, std::size_t kRank>
T& Element(const TensorView<T, static_cast<int>(kRank)>& view,
           const int64_t (&index)[kRank]) {
  T* data = view.data;
  for (std::size_t axis = 0; axis < kRank; ++axis)
    data += index[axis] * view.strides[axis];
  return *data;
}

}  // namespace

Slices::Slices(const Problem& problem, const Inspection& inspection)
    : problem_(problem), inspection_(inspection) {
  const int64_t heads = std::max<int64_t>(1, problem.batch * problem.num_heads);
  const int64_t tiles = TilesPerHead(problem);
  if (inspection.pooled.data != nullptr)
    pooled_size_ = inspection.pooled.shape[2] * inspection.pooled.shape[3];
  const int64_t wanted = pooled_size_ > kMaxSlicedPairs
                             ? 1
                             : std::max<int64_t>(1, kWantedUnits / heads);
  max_tiles_ = std::max(
      {int64_t{1}, std::min(tiles, kMinTilesPerSlice), CeilDiv(tiles, wanted)});
  per_head_ = std::max<int64_t>(1, CeilDiv(tiles, max_tiles_));
  max_tiles_ = std::max<int64_t>(1, CeilDiv(tiles, per_head_));  // evenly
  if (inspection.key_mass.data != nullptr)
    key_mass_ = Zeros(count() * problem.kv_len);
  if (inspection.pooled.data != nullptr)
    pooled_ = Zeros(count() * pooled_size_);
  if (inspection.offset_mass.data != nullptr)
    offset_mass_ = Zeros(count() * SliceOffsets());
}

Unit Slices::UnitOf(int64_t slice) const {
  const int64_t head = slice / per_head_ % problem_.num_heads;
  const int64_t tiles = TilesPerHead(problem_);
  const int64_t first = slice % per_head_ * max_tiles_;
  const int64_t head_start = head % problem_.GroupSize() * tiles;
  Unit unit;
  unit.batch = slice / per_head_ / problem_.num_heads;
  unit.kv_head = head / problem_.GroupSize();
  unit.first_tile = head_start + first;
  unit.end_tile = head_start + std::min(first + max_tiles_, tiles);
  unit.end_key = problem_.kv_len;
  return unit;
}

double* Slices::KeyMass(int64_t slice) const {
  return key_mass_.get() == nullptr ? nullptr
                                    : key_mass_.get() + slice * problem_.kv_len;
}

double* Slices::Pooled(int64_t slice) const {
  return pooled_.get() == nullptr ? nullptr
                                  : pooled_.get() + slice * pooled_size_;
}

double* Slices::OffsetMass(int64_t slice) const {
  return offset_mass_.get() == nullptr
             ? nullptr
             : offset_mass_.get() + slice * SliceOffsets() + SliceQueries() - 1;
}

void Slices::Reduce() const {
  if (key_mass_.get() == nullptr && pooled_.get() == nullptr &&
      offset_mass_.get() == nullptr) {
    return;
  }
  ParallelFor(problem_.batch * problem_.num_heads, problem_.num_threads,
              [this](int64_t index, int /*worker*/) {
                ReduceHead(index / problem_.num_heads,
                           index % problem_.num_heads);
              });
}

void Slices::ReduceHead(int64_t batch, int64_t head) const {
  const int64_t first = (batch * problem_.num_heads + head) * per_head_;
  const auto sum = [this, first](const double* sums, int64_t size, int64_t i) {
    double total = 0.0;
    for (int64_t slice = first; slice < first + per_head_; ++slice)
      total += sums[slice * size + i];
    return static_cast<float>(total);
  };
  for (int64_t j = 0; key_mass_.get() != nullptr && j < problem_.kv_len; ++j) {
    Element(inspection_.key_mass, {batch, head, j}) =
        sum(key_mass_.get(), problem_.kv_len, j);
  }
  const int64_t key_groups = inspection_.pooled.shape[3];
  for (int64_t pair = 0; pair < pooled_size_; ++pair) {
    Element(inspection_.pooled,
            {batch, head, pair / key_groups, pair % key_groups}) =
        sum(pooled_.get(), pooled_size_, pair);
  }
  if (offset_mass_.get() != nullptr) ReduceOffsets(batch, head);
}

void Slices::ReduceOffsets(int64_t batch, int64_t head) const {
  const int64_t first = (batch * problem_.num_heads + head) * per_head_;
  for (int64_t at = 0; at < problem_.NumOffsets(); ++at) {
    double total = 0.0;
    for (int64_t slice = first; slice < first + per_head_; ++slice) {
      // From the slice's first query.
      const int64_t offset = at - (problem_.query_len - 1) + FirstQuery(slice);
      if (-SliceQueries() < offset && offset < problem_.kv_len)
        total += OffsetMass(slice)[offset];
    }
    Element(inspection_.offset_mass, {batch, head, at}) =
        static_cast<float>(total);
  }
}

int64_t TopCount(const Inspection& inspection) {
  if (inspection.top_keys.data != nullptr) return inspection.top_keys.shape[3];
  return inspection.top_weights.data != nullptr
             ? inspection.top_weights.shape[3]
             : 0;
}

void WriteTopKeys(const Inspection& inspection, const Tile& tile, int64_t row,
                  std::vector<WeightedKey>& heaviest) {
  const auto before = [](const WeightedKey& a, const WeightedKey& b) {
    return a.weight > b.weight || (a.weight == b.weight && a.key < b.key);
  };
  if (!std::is_sorted(heaviest.begin(), heaviest.end(), before)) {
    std::sort(heaviest.begin(), heaviest.end(), before);
  }
  const int64_t query = tile.first_query + row;
  heaviest.resize(static_cast<std::size_t>(TopCount(inspection)), {0.0f, -1});
  const TensorView<int64_t, 4>& keys = inspection.top_keys;
  if (keys.data != nullptr) {
    int64_t* to = &Element(keys, {tile.batch, tile.head, query, 0});
    for (const WeightedKey& entry : heaviest) {
      *to = entry.key;
      to += keys.strides[3];
    }
  }
  const TensorView<float, 4>& weights = inspection.top_weights;
  if (weights.data != nullptr) {
    float* to = &Element(weights, {tile.batch, tile.head, query, 0});
    for (const WeightedKey& entry : heaviest) {
      *to = entry.weight;
      to += weights.strides[3];
    }
  }
}

std::vector<WeightedKey> NanTopKeys(int64_t k, int64_t kv_len) {
  std::vector<WeightedKey> keys;
  for (int64_t key = 0; key < std::min(k, kv_len); ++key) {
    keys.push_back({std::numeric_limits<float>::quiet_NaN(), key});
  }
  return keys;
}

}  // namespace keylens::internal
