#ifndef KEYLENS_SRC_ATTENTION_REFERENCE_REFERENCE_ROWS_H_
#define KEYLENS_SRC_ATTENTION_REFERENCE_REFERENCE_ROWS_H_

#include <keylens/attention.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "src/attention/reference/reference.h"

// One row of scores and weights: what the passes of the oracle share.

namespace keylens::reference {

template <typename Real>
constexpr Real kInf = std::numeric_limits<Real>::infinity();
template <typename Real>
constexpr Real kNan = std::numeric_limits<Real>::quiet_NaN();

template <typename T>
const T& At(const TensorView<const T, 4>& view, int64_t b, int64_t h, int64_t i,
            int64_t d) {
  return view.data[b * view.strides[0] + h * view.strides[1] +
                   i * view.strides[2] + d * view.strides[3]];
}

// One query of one head, by its place in the arrays of a call.
struct Query {
  int64_t batch = 0;
  int64_t head = 0;
  int64_t kv_head = 0;
  int64_t query = 0;
  int64_t row = 0;  // (batch * num_heads + head) * query_len + query
};

template <typename Visit>
void ForEachQuery(const AttentionShape& shape, Visit visit) {
  Query q;
  for (q.batch = 0; q.batch < shape.batch; ++q.batch) {
    for (q.head = 0; q.head < shape.num_heads; ++q.head) {
      q.kv_head = q.head / (shape.num_heads / shape.num_kv_heads);
      for (q.query = 0; q.query < shape.query_len; ++q.query, ++q.row) visit(q);
    }
  }
}

inline TileCoord RowTile(const AttentionShape& shape, const Query& q) {
  return {q.batch, q.head,       q.query,         1,
          0,       shape.kv_len, shape.query_len, shape.kv_len};
}

template <typename Real>
Real Scale(const AttentionOptions& options, const AttentionShape& shape) {
  if (options.scale) return *options.scale;
  return 1 / std::sqrt(static_cast<Real>(shape.head_dim));
}

// A value as the kernels, which work in float, would see it: beyond the range
// of float it is infinite.
template <typename Real>
Real OverflowAsFloat(Real value) {
  const auto as_float = static_cast<float>(value);
  return std::isinf(as_float) ? static_cast<Real>(as_float) : value;
}

// scale * query . key for every key.
template <typename Real, typename T>
std::vector<Real> ScaledProducts(const AttentionInputs<T>& inputs,
                                 const AttentionOptions& options,
                                 const Query& q) {
  const AttentionShape shape = ShapeOf(inputs);
  const Real scale = Scale<Real>(options, shape);
  std::vector<Real> scores(shape.kv_len);
  for (int64_t j = 0; j < shape.kv_len; ++j) {
    Real sum = 0;
    for (int64_t d = 0; d < shape.head_dim; ++d) {
      sum += static_cast<Real>(At(inputs.query, q.batch, q.head, q.query, d)) *
             static_cast<Real>(At(inputs.key, q.batch, q.kv_head, j, d));
    }
    scores[j] = OverflowAsFloat(scale * sum);
  }
  return scores;
}

// The scores of one query: what each score mod was given, in order, and what
// the softmax gets.
template <typename Real>
struct ScoreRow {
  std::vector<std::vector<float>> before_mod;
  std::vector<Real> scores;
};

template <typename Real, typename T>
ScoreRow<Real> Scores(const AttentionInputs<T>& inputs,
                      const AttentionOptions& options, const Query& q) {
  const TileCoord coord = RowTile(ShapeOf(inputs), q);
  ScoreRow<Real> row;
  row.scores = ScaledProducts<Real>(inputs, options, q);
  if (row.scores.empty()) return row;
  std::vector<float> tile(row.scores.begin(), row.scores.end());
  for (const ScoreMod* mod : options.score_mods) {
    row.before_mod.push_back(tile);
    mod->Forward({tile.data(), coord.num_keys, coord});
    row.scores.assign(tile.begin(), tile.end());
  }
  if (options.mask == nullptr) return row;
  options.mask->Apply({tile.data(), coord.num_keys, coord});
  for (int64_t j = 0; j < coord.num_keys; ++j) {
    if (tile[j] == -kInf<float>) row.scores[j] = -kInf<Real>;
  }
  return row;
}

// The head's sink; -inf where there is none.
template <typename Real>
Real SinkOf(const AttentionOptions& options, const Query& q) {
  return options.sinks.empty() ? -kInf<Real>
                               : static_cast<Real>(options.sinks[q.head]);
}

// Turns scores into weights, in place, and returns the logsumexp. The sink is
// one more score, whose weight nobody gets.
template <typename Real>
Real Softmax(std::span<Real> scores, Real sink) {
  Real largest = sink;
  for (const Real score : scores) {
    if (std::isnan(score) || score == kInf<Real>) {
      std::fill(scores.begin(), scores.end(), kNan<Real>);
      return kNan<Real>;
    }
    largest = std::max(largest, score);
  }
  if (largest == -kInf<Real>) {
    std::fill(scores.begin(), scores.end(), Real{0});
    return largest;
  }
  Real sum = std::exp(sink - largest);
  for (Real& score : scores) sum += score = std::exp(score - largest);
  for (Real& weight : scores) weight /= sum;
  return largest + std::log(sum);
}

// Whether a weight counts: one that underflows in float does not, and a NaN
// does.
template <typename Real>
bool Counts(Real weight) {
  return static_cast<float>(weight) != 0;
}

// What dropout leaves of a row of weights.
template <typename Real>
void DropWeights(const Dropout& dropout, const Query& q,
                 std::span<Real> weights) {
  if (dropout.probability == 0) return;
  for (std::size_t j = 0; j < weights.size(); ++j) {
    const bool stays = DropoutKeeps(dropout, q.batch, q.head, q.query,
                                    static_cast<int64_t>(j));
    weights[j] = stays ? weights[j] / (1 - Real{dropout.probability}) : 0;
  }
}

// Row `index` of a dense matrix whose rows have `length` elements.
template <typename T>
std::span<T> Row(std::vector<T>& matrix, int64_t index, int64_t length) {
  return {matrix.data() + index * length, static_cast<std::size_t>(length)};
}
template <typename T>
std::span<const T> Row(const std::vector<T>& matrix, int64_t index,
                       int64_t length) {
  return {matrix.data() + index * length, static_cast<std::size_t>(length)};
}

}  // namespace keylens::reference

#endif  // KEYLENS_SRC_ATTENTION_REFERENCE_REFERENCE_ROWS_H_
