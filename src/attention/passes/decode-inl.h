// Scores and weighted sums of keys and values that are read where they lie.

#if defined(KEYLENS_SRC_ATTENTION_PASSES_DECODE_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef KEYLENS_SRC_ATTENTION_PASSES_DECODE_INL_H_
#undef KEYLENS_SRC_ATTENTION_PASSES_DECODE_INL_H_
#else
#define KEYLENS_SRC_ATTENTION_PASSES_DECODE_INL_H_
#endif

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "src/attention/passes/decode.h"
#include "src/attention/tile/softmax-inl.h"

HWY_BEFORE_NAMESPACE();
namespace keylens::internal::HWY_NAMESPACE {

// The last `count` elements of a row, and zeros.
template <typename E>
Vec LoadTail(const E* from, int64_t count) {
  E elements[kLanes];
  std::memset(elements, 0, sizeof(elements));
  std::memcpy(elements, from, static_cast<std::size_t>(count) * sizeof(E));
  return LoadElements(elements);
}

// Asks for the `dim` elements of `count` rows from the row `first` of `rows`
// on, which will be read before long. What the processor foresees by itself is
// not far enough ahead to keep all of the memory's lanes busy. Near the end
// there are no such rows: addresses are numbers here, since a pointer may not
// leave its array.
template <typename E>
HWY_INLINE void PrefetchRows(const E* rows, int64_t first, int64_t stride,
                             int64_t dim, int64_t count) {
  constexpr int64_t kLine = 64;
  const int64_t row_bytes = stride * static_cast<int64_t>(sizeof(E));
  const int64_t bytes = dim * static_cast<int64_t>(sizeof(E));
  auto address = reinterpret_cast<uintptr_t>(rows) +
                 static_cast<uintptr_t>(first * row_bytes);
  for (int64_t i = 0; i < count; ++i, address += row_bytes) {
    for (int64_t b = 0; b < bytes; b += kLine)
      hwy::Prefetch(reinterpret_cast<const E*>(address + b));
  }
}

// How many rows ahead to ask: this many bytes, whatever the element.
template <typename E>
int64_t RowsAhead(int64_t dim) {
  constexpr int64_t kBytesAhead = 8192;
  return std::clamp<int64_t>(
      kBytesAhead / (dim * static_cast<int64_t>(sizeof(E))), 8, 128);
}

// scores[k] = query . key k, for kKeys keys, one after the other: memory that
// is read in order is fetched ahead of its use, and the sums of several keys
// overlap all the same.
template <int kKeys, typename E>
HWY_INLINE void DotKeys(const float* query, const E* keys, int64_t key_stride,
                        int64_t dim, float* scores) {
  const FloatTag d;
  Vec sums[kKeys];
  for (int k = 0; k < kKeys; ++k) {
    const E* key = keys + k * key_stride;
    sums[k] = hn::Zero(d);
    int64_t c = 0;
    for (; c + kLanes <= dim; c += kLanes) {
      sums[k] =
          hn::MulAdd(hn::Load(d, query + c), LoadElements(key + c), sums[k]);
    }
    if (c < dim) {
      sums[k] = hn::MulAdd(hn::Load(d, query + c), LoadTail(key + c, dim - c),
                           sums[k]);
    }
  }
  for (int k = 0; k < kKeys; ++k)
    scores[k] = hn::GetLane(hn::SumOfLanes(d, sums[k]));
}

// scores[j] = scale * query . key j, times the key's own scale.
template <typename E>
void ScoreRow(const float* query, const KeyValueRows<E>& rows, int64_t num_keys,
              int64_t dim, float scale, float* scores) {
  constexpr int64_t kAtOnce = 8;
  const int64_t ahead = RowsAhead<E>(dim);
  int64_t j = 0;
  for (; j + kAtOnce <= num_keys; j += kAtOnce) {
    PrefetchRows(rows.keys, j + ahead, rows.key_stride, dim, kAtOnce);
    DotKeys<kAtOnce>(query, rows.keys + j * rows.key_stride, rows.key_stride,
                     dim, scores + j);
  }
  for (; j < num_keys; ++j) {
    DotKeys<1>(query, rows.keys + j * rows.key_stride, rows.key_stride, dim,
               scores + j);
  }
  for (int64_t k = 0; k < num_keys; ++k) {
    scores[k] *= scale;
    if (rows.key_scales != nullptr) scores[k] *= rows.key_scales[k];
  }
}

// sum = factor * sum + sum over keys of weights[j] * value j, for kVecs vectors
// of each value, `ahead` rows being asked for. A weight of 0 leaves its value
// unread: it may be NaN.
template <int kVecs, typename E>
void AddValueColumns(const float* weights, int64_t num_keys, const E* values,
                     int64_t value_stride, int64_t ahead, float factor,
                     float* sum) {
  const FloatTag d;
  Vec sums[kVecs];
  for (int v = 0; v < kVecs; ++v)
    sums[v] = hn::Mul(hn::Load(d, sum + v * kLanes), hn::Set(d, factor));
  for (int64_t j = 0; j < num_keys; ++j) {
    PrefetchRows(values, j + ahead, value_stride, kVecs * kLanes, 1);
    if (weights[j] == 0.0f) continue;
    const E* value = values + j * value_stride;
    const Vec weight = hn::Set(d, weights[j]);
    for (int v = 0; v < kVecs; ++v) {
      sums[v] = hn::MulAdd(weight, LoadElements(value + v * kLanes), sums[v]);
    }
  }
  for (int v = 0; v < kVecs; ++v) hn::Store(sums[v], d, sum + v * kLanes);
}

template <typename E>
void AddValueTail(const float* weights, int64_t num_keys, const E* values,
                  int64_t value_stride, int64_t count, float factor,
                  float* sum) {
  const FloatTag d;
  Vec total = hn::Mul(hn::Load(d, sum), hn::Set(d, factor));
  for (int64_t j = 0; j < num_keys; ++j) {
    if (weights[j] == 0.0f) continue;
    total = hn::MulAdd(hn::Set(d, weights[j]),
                       LoadTail(values + j * value_stride, count), total);
  }
  hn::Store(total, d, sum);
}

// sum[0, dim) = factor * sum + weights . values.
template <typename E>
void AddValues(const float* weights, int64_t num_keys,
               const KeyValueRows<E>& rows, int64_t dim, float factor,
               float* sum) {
  constexpr int64_t kWide = 8 * kLanes;
  const E* values = rows.values;
  const int64_t ahead = RowsAhead<E>(dim);
  int64_t c = 0;
  for (; c + kWide <= dim; c += kWide) {
    AddValueColumns<8>(weights, num_keys, values + c, rows.value_stride, ahead,
                       factor, sum + c);
  }
  if (c + 4 * kLanes <= dim) {
    AddValueColumns<4>(weights, num_keys, values + c, rows.value_stride, ahead,
                       factor, sum + c);
    c += 4 * kLanes;
  }
  for (; c + kLanes <= dim; c += kLanes) {
    AddValueColumns<1>(weights, num_keys, values + c, rows.value_stride, ahead,
                       factor, sum + c);
  }
  if (c < dim) {
    AddValueTail(weights, num_keys, values + c, rows.value_stride, dim - c,
                 factor, sum + c);
  }
}

// The blocks of a unit, and the scores of each.
template <typename E>
class DecodeLoop {
 public:
  DecodeLoop(const Problem& problem, const DecodeUnit& unit, const float* query,
             const KeyValueSource<E>& source)
      : problem_(problem),
        unit_(unit),
        query_(query),
        source_(source),
        scores_(unit.num_rows * kScoreStride) {}

  // Calls consume(scores, rows) for each block with a live key: masked scores
  // of its live stretch, one row for each of the unit's, and where that
  // stretch's keys and values lie.
  template <typename Consume>
  void Run(const Consume& consume) {
    for (int64_t key = unit_.first_key; key < unit_.end_key;
         key += source_.block_keys) {
      const int64_t num_keys =
          std::min(source_.block_keys, unit_.end_key - key);
      const LiveKeys live = LiveForAnyRow(key, num_keys);
      if (live.count == 0) continue;
      KeyValueRows<E> rows = source_.rows(unit_.batch, unit_.kv_head, key);
      rows = Dense(From(rows, live.first - key), live.count);
      const ScoreTile scores{scores_.get(), kScoreStride,
                             Coord(0, unit_.num_rows, live.first, live.count)};
      Compute(scores, rows);
      consume(scores, rows);
    }
  }

 private:
  static KeyValueRows<E> From(KeyValueRows<E> rows, int64_t key) {
    rows.keys += key * rows.key_stride;
    rows.values += key * rows.value_stride;
    if (rows.key_scales != nullptr) {
      rows.key_scales += key;
      rows.value_scales += key;
    }
    return rows;
  }

  // The same rows, or, where their elements are not side by side, a copy.
  KeyValueRows<E> Dense(KeyValueRows<E> rows, int64_t num_keys) {
    if (rows.key_step != 1) {
      CopyRows(rows.keys, num_keys, problem_.head_dim, rows.key_step,
               rows.key_stride, keys_);
      rows.keys = keys_.get();
    }
    if (rows.value_step != 1) {
      CopyRows(rows.values, num_keys, problem_.value_dim, rows.value_step,
               rows.value_stride, values_);
      rows.values = values_.get();
    }
    return rows;
  }

  // Leaves in `stride` that of the copy.
  static void CopyRows(const E* from, int64_t num_rows, int64_t dim,
                       int64_t step, int64_t& stride, AlignedArray<E>& copy) {
    if (copy.get() == nullptr) copy = AlignedArray<E>(kBlockKeys * dim);
    for (int64_t c = 0; c < dim; ++c) {
      for (int64_t i = 0; i < num_rows; ++i)
        copy[i * dim + c] = from[i * stride + c * step];
    }
    stride = dim;
  }

  // Visits the rows of each head: visit(first row, number of rows).
  template <typename Visit>
  void ForEachHead(const Visit& visit) const {
    const int64_t end = unit_.first_row + unit_.num_rows;
    for (int64_t row = unit_.first_row; row < end;) {
      const int64_t next =
          std::min(end, (row / problem_.query_len + 1) * problem_.query_len);
      visit(row - unit_.first_row, next - row);
      row = next;
    }
  }

  // `row` counts from the unit's first, and so do the rows of a head.
  TileCoord Coord(int64_t row, int64_t num_rows, int64_t first_key,
                  int64_t num_keys) const {
    const int64_t in_group = unit_.first_row + row;
    return {
        problem_.first_batch + unit_.batch,
        unit_.kv_head * problem_.GroupSize() + in_group / problem_.query_len,
        in_group % problem_.query_len,
        num_rows,
        first_key,
        num_keys,
        problem_.query_len,
        unit_.kv_len};
  }

  // From the first key that any row sees to the last.
  LiveKeys LiveForAnyRow(int64_t first_key, int64_t num_keys) const {
    int64_t first = first_key + num_keys, end = first_key;
    ForEachHead([&](int64_t row, int64_t num_rows) {
      const LiveKeys live = FindLiveKeys(
          problem_.mask, Coord(row, num_rows, first_key, num_keys));
      if (live.count == 0) return;
      first = std::min(first, live.first);
      end = std::max(end, live.first + live.count);
    });
    return {first, std::max<int64_t>(0, end - first), TileClass::kPartial};
  }

  void Compute(const ScoreTile& scores, const KeyValueRows<E>& rows) const {
    const int64_t query_stride = DecodeStride(problem_.head_dim);
    for (int64_t row = 0; row < unit_.num_rows; ++row) {
      ScoreRow(query_ + row * query_stride, rows, scores.coord.num_keys,
               problem_.head_dim, problem_.scale, scores.Row(row));
    }
    ForEachHead([&](int64_t row, int64_t num_rows) {
      const TileCoord coord =
          Coord(row, num_rows, scores.coord.first_key, scores.coord.num_keys);
      const TileClass tile_class = problem_.mask == nullptr
                                       ? TileClass::kFull
                                       : problem_.mask->Classify(coord);
      FinishScores(problem_, tile_class, {scores.Row(row), kScoreStride, coord},
                   nullptr);
    });
  }

  const Problem& problem_;
  const DecodeUnit& unit_;
  const float* query_;
  const KeyValueSource<E>& source_;
  AlignedArray<float> scores_;
  AlignedArray<E> keys_;  // copies, where they are needed
  AlignedArray<E> values_;
};

// weights[j] *= the scale of value j.
template <typename E>
void ScaleWeights(const KeyValueRows<E>& rows, int64_t num_keys,
                  float* weights) {
  for (int64_t j = 0; rows.value_scales != nullptr && j < num_keys; ++j)
    weights[j] *= rows.value_scales[j];
}

template <typename E>
void DecodePart(const Problem& problem, const DecodeUnit& unit,
                const float* query, const KeyValueSource<E>& source,
                const DecodePartial& partial) {
  alignas(64) float max[kTileRows];
  alignas(64) float sums[kTileRows * kLanes];
  alignas(64) float factors[kTileRows];
  const SoftmaxRows state{max, sums, nullptr};
  const int64_t out_stride = DecodeStride(problem.value_dim);
  ClearRows(state, kTileRows);
  std::fill_n(partial.out, unit.num_rows * out_stride, 0.0f);
  DecodeLoop<E>(problem, unit, query, source)
      .Run([&](const ScoreTile& scores, const KeyValueRows<E>& rows) {
        OnlineSoftmax(scores, state, factors);
        for (int64_t i = 0; i < unit.num_rows; ++i) {
          ScaleWeights(rows, scores.coord.num_keys, scores.Row(i));
          AddValues(scores.Row(i), scores.coord.num_keys, rows,
                    problem.value_dim, factors[i],
                    partial.out + i * out_stride);
        }
      });
  for (int64_t i = 0; i < unit.num_rows; ++i) {
    partial.max[i] = max[i];
    partial.sum[i] = SumOfLanes(sums + i * kLanes);
  }
}

template <typename E>
void DecodeFinal(const Problem& problem, const DecodeUnit& unit,
                 const float* query, const KeyValueSource<E>& source,
                 const float* logsumexp, float* out) {
  alignas(64) float ignored[kLanes] = {};
  const int64_t out_stride = DecodeStride(problem.value_dim);
  std::fill_n(out, unit.num_rows * out_stride, 0.0f);
  DecodeLoop<E>(problem, unit, query, source)
      .Run([&](const ScoreTile& scores, const KeyValueRows<E>& rows) {
        for (int64_t i = 0; i < unit.num_rows; ++i) {
          const float reference =
              logsumexp[i] == kMinusInfinity ? 0.0f : logsumexp[i];
          ExponentiateRow<false>(scores.Row(i), scores.coord.num_keys,
                                 reference, ignored, nullptr);
          ScaleWeights(rows, scores.coord.num_keys, scores.Row(i));
          AddValues(scores.Row(i), scores.coord.num_keys, rows,
                    problem.value_dim, 1.0f, out + i * out_stride);
        }
      });
}

}  // namespace keylens::internal::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // KEYLENS_SRC_ATTENTION_PASSES_DECODE_INL_H_
