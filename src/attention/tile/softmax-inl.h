// The online softmax over one tile of scores.

#if defined(KEYLENS_SRC_ATTENTION_TILE_SOFTMAX_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef KEYLENS_SRC_ATTENTION_TILE_SOFTMAX_INL_H_
#undef KEYLENS_SRC_ATTENTION_TILE_SOFTMAX_INL_H_
#else
#define KEYLENS_SRC_ATTENTION_TILE_SOFTMAX_INL_H_
#endif

#include <cmath>
#include <limits>

#include "src/attention/tile/exp-inl.h"
#include "src/attention/tile/tile_loop-inl.h"

HWY_BEFORE_NAMESPACE();
namespace keylens::internal::HWY_NAMESPACE {

constexpr float kMinusInfinity = -std::numeric_limits<float>::infinity();

// What the rows seen so far amount to; each array has one entry per row of a
// unit, the lane arrays kLanes.
//
//   max      the largest score
//   sums     lane by lane, the sum of exp(score - max)
//   moments  lane by lane, the sum of exp(score - max) (score - max), for the
//   entropy; unless wanted, null
struct SoftmaxRows {
  float* max = nullptr;
  float* sums = nullptr;
  float* moments = nullptr;

  SoftmaxRows From(int64_t row) const {
    return {max + row, sums + row * kLanes,
            moments == nullptr ? nullptr : moments + row * kLanes};
  }
};

inline void ClearRows(const SoftmaxRows& rows, int64_t count) {
  std::fill_n(rows.max, count, kMinusInfinity);
  std::fill_n(rows.sums, count * kLanes, 0.0f);
  if (rows.moments != nullptr) std::fill_n(rows.moments, count * kLanes, 0.0f);
}

// A row's largest score; a NaN may be passed over, the sum of exponentials will
// have it.
inline float RowMaximum(const float* row, int64_t num_keys) {
  const FloatTag d;
  Vec max = hn::Load(d, row);
  for (int64_t j = kLanes; j < num_keys; j += kLanes)
    max = hn::Max(max, hn::Load(d, row + j));
  return hn::GetLane(hn::MaxOfLanes(d, max));
}

// What is subtracted from scores before the exponential: the maximum, or 0 for
// a row that has met no live key, where -inf - -inf would be NaN.
inline Vec ReferenceOf(Vec max) {
  const FloatTag d;
  return hn::IfThenZeroElse(hn::Eq(max, hn::Set(d, kMinusInfinity)), max);
}

// Replaces a vector of scores by exp(score - shift), added to `sum`; with
// kMoments, weighted by the exponent to `moment`. Keys that weigh nothing have
// an exponent of -inf, which the clamp keeps from making NaN of 0 * -inf.
template <bool kMoments>
HWY_INLINE void ExponentiateVector(float* scores, Vec shift, Vec& sum,
                                   Vec& moment) {
  const FloatTag d;
  const Vec exponent = hn::Sub(hn::Load(d, scores), shift);
  const Vec weight = Exp(exponent);
  hn::Store(weight, d, scores);
  sum = hn::Add(sum, weight);
  if constexpr (kMoments) {
    moment = hn::MulAdd(weight, AtLeast(exponent, kLowestExponent), moment);
  }
}

// row[j] = exp(row[j] - reference), summed lane by lane. Four vectors at a
// time: the chain of operations of one is long, and the next fill its gaps.
template <bool kMoments>
void ExponentiateRow(float* row, int64_t num_keys, float reference, float* sums,
                     float* moments) {
  const FloatTag d;
  const Vec shift = hn::Set(d, reference);
  Vec sum = hn::Load(d, sums);
  Vec moment = kMoments ? hn::Load(d, moments) : hn::Zero(d);
  int64_t j = 0;
  for (; j + 4 * kLanes <= num_keys; j += 4 * kLanes) {
    for (int64_t v = 0; v < 4; ++v) {
      ExponentiateVector<kMoments>(row + j + v * kLanes, shift, sum, moment);
    }
  }
  for (; j < num_keys; j += kLanes) {
    ExponentiateVector<kMoments>(row + j, shift, sum, moment);
  }
  hn::Store(sum, d, sums);
  if constexpr (kMoments) hn::Store(moment, d, moments);
}

// When the maximum of a row moves from `old_max` by `step` <= 0 and factor =
// e^step, the moment becomes sum(factor e (x + step)) = factor (moment + step
// sum).
inline void RescaleRow(const SoftmaxRows& row, float step, float factor) {
  const FloatTag d;
  const Vec scale = hn::Set(d, factor);
  const Vec sum = hn::Load(d, row.sums);
  if (row.moments != nullptr) {
    hn::Store(hn::Mul(scale, hn::MulAdd(hn::Set(d, step), sum,
                                        hn::Load(d, row.moments))),
              d, row.moments);
  }
  hn::Store(hn::Mul(scale, sum), d, row.sums);
}

// Turns the scores into exp(score - max), with the maxima of all keys seen so
// far, and brings `rows` up to date. factors[i] is what everything summed
// before for row i must be multiplied by. Arrays have kTileRows entries.
inline HWY_NOINLINE void OnlineSoftmax(const ScoreTile& scores,
                                       const SoftmaxRows& rows,
                                       float* factors) {
  const FloatTag d;
  const int64_t num_rows = scores.coord.num_queries;
  const int64_t num_keys = scores.coord.num_keys;
  alignas(64) float tile_max[kTileRows];
  alignas(64) float steps[kTileRows];
  alignas(64) float references[kTileRows];
  for (int64_t begin = 0; begin < num_rows; begin += kLanes) {
    const int64_t end = std::min(begin + kLanes, num_rows);
    for (int64_t i = begin; i < end; ++i)
      tile_max[i] = RowMaximum(scores.Row(i), num_keys);
    for (int64_t i = end; i < begin + kLanes; ++i) tile_max[i] = kMinusInfinity;

    const Vec old_max = hn::Load(d, rows.max + begin);
    const Vec new_max = hn::Max(old_max, hn::Load(d, tile_max + begin));
    const Vec reference = ReferenceOf(new_max);
    const Vec step = hn::Sub(ReferenceOf(old_max), reference);
    hn::Store(new_max, d, rows.max + begin);
    hn::Store(reference, d, references + begin);
    hn::Store(step, d, steps + begin);
    hn::Store(Exp(hn::Sub(old_max, reference)), d, factors + begin);

    for (int64_t i = begin; i < end; ++i) {
      const SoftmaxRows row = rows.From(i);
      RescaleRow(row, steps[i], factors[i]);
      if (row.moments == nullptr) {
        ExponentiateRow<false>(scores.Row(i), num_keys, references[i], row.sums,
                               nullptr);
      } else {
        ExponentiateRow<true>(scores.Row(i), num_keys, references[i], row.sums,
                              row.moments);
      }
    }
  }
}

inline float SumOfLanes(const float* lanes) {
  const FloatTag d;
  return hn::GetLane(hn::SumOfLanes(d, hn::Load(d, lanes)));
}

// One finished row: ln of the sum of exp(score), and the factor that makes
// exp(score - max) a weight; -inf and 0 for a row without live keys.
struct RowResult {
  float logsumexp = kMinusInfinity;
  float inverse_sum = 0.0f;
  float entropy = 0.0f;  // 0 unless moments were kept
};

// With a sink, a further score without a value; the entropy is that of the
// keys' weights, which then add up to less than 1.
inline RowResult FinishRowWithSink(const SoftmaxRows& row, float sum,
                                   float sink) {
  const float max = std::max(*row.max, sink);
  const float to_max = std::exp(*row.max - max);  // 0 without live keys
  const float total = sum * to_max + std::exp(sink - max);
  RowResult result{max + std::log(total), to_max / total, 0.0f};
  // Where the sink leaves the keys nothing, ln of 0 would make it NaN.
  const bool any_weight = sum != 0.0f && result.inverse_sum != 0.0f;
  if (row.moments != nullptr && any_weight) {
    result.entropy = -result.inverse_sum * (SumOfLanes(row.moments) +
                                            std::log(result.inverse_sum) * sum);
  }
  return result;
}

inline RowResult FinishRow(const SoftmaxRows& row, float sink) {
  const float sum = SumOfLanes(row.sums);
  if (sink != kMinusInfinity) return FinishRowWithSink(row, sum, sink);
  if (sum == 0.0f) return {};
  RowResult result{*row.max + std::log(sum), 1.0f / sum, 0.0f};
  if (row.moments != nullptr)
    result.entropy = std::log(sum) - SumOfLanes(row.moments) / sum;
  return result;
}

}  // namespace keylens::internal::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // KEYLENS_SRC_ATTENTION_TILE_SOFTMAX_INL_H_
