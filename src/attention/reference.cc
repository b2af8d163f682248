#include "src/attention/reference.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace keylens {
namespace {

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

TileCoord RowTile(const AttentionShape& shape, const Query& q) {
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

template <typename Real, typename T>
void WeightedSum(const TensorView<const T, 4>& value, const Query& q,
                 std::span<const Real> weights, std::span<Real> out) {
  std::fill(out.begin(), out.end(), Real{0});
  for (int64_t j = 0; j < static_cast<int64_t>(weights.size()); ++j) {
    if (!Counts(weights[j])) continue;
    for (int64_t d = 0; d < static_cast<int64_t>(out.size()); ++d) {
      out[d] +=
          weights[j] * static_cast<Real>(At(value, q.batch, q.kv_head, j, d));
    }
  }
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

template <typename Real>
ReferenceResult<Real> EmptyResult(const AttentionShape& shape) {
  const int64_t rows = shape.batch * shape.num_heads * shape.query_len;
  ReferenceResult<Real> result;
  result.shape = shape;
  result.scores.resize(rows * shape.kv_len);
  result.weights.resize(rows * shape.kv_len);
  result.logsumexp.resize(rows);
  result.out.resize(rows * shape.value_dim);
  return result;
}

// The gradient of the loss by each weight, dout . v_j; 0 for one that does not
// count.
template <typename Real, typename T>
std::vector<Real> WeightGradients(const AttentionInputs<T>& inputs,
                                  const Query& q, std::span<const Real> weights,
                                  const TensorView<const T, 4>& out_grad) {
  std::vector<Real> grad(weights.size(), Real{0});
  for (int64_t j = 0; j < static_cast<int64_t>(weights.size()); ++j) {
    if (!Counts(weights[j])) continue;
    for (int64_t d = 0; d < inputs.value.shape[3]; ++d) {
      grad[j] += static_cast<Real>(At(out_grad, q.batch, q.head, q.query, d)) *
                 static_cast<Real>(At(inputs.value, q.batch, q.kv_head, j, d));
    }
  }
  return grad;
}

// From gradients by the weights to gradients by the scores, in place:
// w_j (grad_j - sum_k w_k grad_k). Returns that sum.
template <typename Real>
Real SoftmaxBackward(std::span<const Real> weights, std::span<Real> grad) {
  Real mean = 0;
  for (std::size_t j = 0; j < weights.size(); ++j) {
    if (Counts(weights[j])) mean += weights[j] * grad[j];
  }
  for (std::size_t j = 0; j < weights.size(); ++j) {
    grad[j] = Counts(weights[j]) ? weights[j] * (grad[j] - mean) : Real{0};
  }
  return mean;
}

// Takes a gradient back through the score mods, last to first.
template <typename Real>
void ScoreModsBackward(const AttentionOptions& options, const TileCoord& coord,
                       ScoreRow<Real>& row, std::vector<Real>& grad) {
  if (options.score_mods.empty() || grad.empty()) return;
  std::vector<float> tile(grad.begin(), grad.end());
  for (std::size_t m = options.score_mods.size(); m-- > 0;) {
    const ScoreMod* mod = options.score_mods[m];
    float* before =
        mod->BackwardReadsScores() ? row.before_mod[m].data() : nullptr;
    mod->Backward({before, coord.num_keys, coord},
                  {tile.data(), coord.num_keys, coord});
  }
  grad.assign(tile.begin(), tile.end());
}

// Adds what one query contributes to every gradient.
template <typename Real, typename T>
void AddQueryGradients(const AttentionInputs<T>& inputs,
                       const AttentionOptions& options, const Query& q,
                       const TensorView<const T, 4>& out_grad,
                       ReferenceGradients<Real>& gradients) {
  const AttentionShape shape = ShapeOf(inputs);
  const Real scale = Scale<Real>(options, shape);
  ScoreRow<Real> row = Scores<Real>(inputs, options, q);
  std::vector<Real> weights = row.scores;
  const Real logsumexp = Softmax<Real>(weights, SinkOf<Real>(options, q));
  // A masked key takes no part, even where a NaN makes the whole row NaN.
  for (int64_t j = 0; j < shape.kv_len; ++j) {
    if (row.scores[j] == -kInf<Real>) weights[j] = 0;
  }
  std::vector<Real> kept = weights;  // what the values were weighed by
  DropWeights<Real>(options.dropout, q, kept);
  std::vector<Real> grad = WeightGradients<Real>(
      inputs, q, std::span<const Real>(weights), out_grad);
  DropWeights<Real>(options.dropout, q, grad);
  const auto relevance = Row(gradients.relevance, q.row, shape.kv_len);
  for (int64_t j = 0; j < shape.kv_len; ++j)
    relevance[j] = weights[j] * grad[j] < 0 ? 0 : weights[j] * grad[j];
  const Real mean = SoftmaxBackward<Real>(std::span<const Real>(weights), grad);
  if (const Real sink = SinkOf<Real>(options, q); sink != -kInf<Real>)
    gradients.sinks[q.head] -= std::exp(sink - logsumexp) * mean;
  ScoreModsBackward(options, RowTile(shape, q), row, grad);

  const int64_t kv_row =
      (q.batch * shape.num_kv_heads + q.kv_head) * shape.kv_len;
  const auto query_grad = Row(gradients.query, q.row, shape.head_dim);
  for (int64_t j = 0; j < shape.kv_len; ++j) {
    if (!Counts(weights[j])) continue;
    const auto key_grad = Row(gradients.key, kv_row + j, shape.head_dim);
    for (int64_t d = 0; d < shape.head_dim; ++d) {
      query_grad[d] +=
          scale * grad[j] *
          static_cast<Real>(At(inputs.key, q.batch, q.kv_head, j, d));
      key_grad[d] +=
          scale * grad[j] *
          static_cast<Real>(At(inputs.query, q.batch, q.head, q.query, d));
    }
    const auto value_grad = Row(gradients.value, kv_row + j, shape.value_dim);
    for (int64_t d = 0; d < shape.value_dim; ++d) {
      value_grad[d] += Counts(kept[j])
                           ? kept[j] * static_cast<Real>(At(out_grad, q.batch,
                                                            q.head, q.query, d))
                           : Real{0};
    }
  }
}

// -sum of w ln w.
template <typename Real>
Real Entropy(std::span<const Real> weights) {
  Real entropy = 0;
  for (const Real weight : weights) {
    if (weight != 0) entropy -= weight * std::log(weight);
  }
  return entropy;
}

// The live keys of a row, heaviest first, ties to the lower key.
template <typename Real>
std::vector<int64_t> RankedKeys(std::span<const Real> scores,
                                std::span<const Real> weights) {
  std::vector<int64_t> keys;
  for (int64_t j = 0; j < static_cast<int64_t>(scores.size()); ++j) {
    if (scores[j] != -kInf<Real>) keys.push_back(j);
  }
  std::stable_sort(keys.begin(), keys.end(), [&](int64_t left, int64_t right) {
    return weights[left] > weights[right];
  });
  return keys;
}

}  // namespace

template <typename Real, typename T>
ReferenceResult<Real> ReferenceForward(const AttentionInputs<T>& inputs,
                                       const AttentionOptions& options) {
  const AttentionShape shape = ShapeOf(inputs);
  ReferenceResult<Real> result = EmptyResult<Real>(shape);
  ForEachQuery(shape, [&](const Query& q) {
    const ScoreRow<Real> row = Scores<Real>(inputs, options, q);
    const auto scores = Row(result.scores, q.row, shape.kv_len);
    const auto weights = Row(result.weights, q.row, shape.kv_len);
    const auto out = Row(result.out, q.row, shape.value_dim);
    std::copy(row.scores.begin(), row.scores.end(), scores.begin());
    std::copy(row.scores.begin(), row.scores.end(), weights.begin());
    result.logsumexp[q.row] = Softmax<Real>(weights, SinkOf<Real>(options, q));
    std::vector<Real> kept(weights.begin(), weights.end());
    DropWeights<Real>(options.dropout, q, kept);
    WeightedSum<Real>(inputs.value, q, std::span<const Real>(kept), out);
    if (std::isnan(result.logsumexp[q.row])) {
      std::fill(out.begin(), out.end(), kNan<Real>);
    }
  });
  return result;
}

template <typename Real, typename T>
ReferenceGradients<Real> ReferenceBackward(const AttentionInputs<T>& inputs,
                                           const AttentionOptions& options,
                                           TensorView<const T, 4> out_grad) {
  const AttentionShape shape = ShapeOf(inputs);
  const int64_t kv_rows = shape.batch * shape.num_kv_heads * shape.kv_len;
  ReferenceGradients<Real> gradients;
  gradients.query.resize(shape.batch * shape.num_heads * shape.query_len *
                         shape.head_dim);
  gradients.key.resize(kv_rows * shape.head_dim);
  gradients.value.resize(kv_rows * shape.value_dim);
  gradients.sinks.resize(shape.num_heads);
  gradients.relevance.resize(shape.batch * shape.num_heads * shape.query_len *
                             shape.kv_len);
  ForEachQuery(shape, [&](const Query& q) {
    AddQueryGradients<Real>(inputs, options, q, out_grad, gradients);
  });
  return gradients;
}

template <typename Real>
ReferenceStatistics<Real> ReferenceInspect(const ReferenceResult<Real>& forward,
                                           int64_t k) {
  const AttentionShape& shape = forward.shape;
  ReferenceStatistics<Real> statistics;
  statistics.entropy.resize(forward.logsumexp.size());
  statistics.key_mass.resize(shape.batch * shape.num_heads * shape.kv_len);
  statistics.top_keys.resize(forward.logsumexp.size() * k, -1);
  statistics.top_weights.resize(forward.logsumexp.size() * k);
  ForEachQuery(shape, [&](const Query& q) {
    const auto weights = Row(forward.weights, q.row, shape.kv_len);
    const auto scores = Row(forward.scores, q.row, shape.kv_len);
    const auto key_mass = Row(statistics.key_mass,
                              q.batch * shape.num_heads + q.head, shape.kv_len);
    statistics.entropy[q.row] = Entropy(weights);
    for (int64_t j = 0; j < shape.kv_len; ++j) key_mass[j] += weights[j];
    const std::vector<int64_t> keys = RankedKeys(scores, weights);
    const int64_t found = std::min<int64_t>(k, keys.size());
    for (int64_t rank = 0; rank < found; ++rank) {
      statistics.top_keys[q.row * k + rank] = keys[rank];
      statistics.top_weights[q.row * k + rank] = weights[keys[rank]];
    }
  });
  return statistics;
}

template <typename Real>
std::vector<Real> ReferencePooled(const ReferenceResult<Real>& forward,
                                  std::span<const int32_t> query_group,
                                  std::span<const int32_t> key_group,
                                  int64_t query_groups, int64_t key_groups) {
  const AttentionShape& shape = forward.shape;
  std::vector<Real> pooled(shape.batch * shape.num_heads * query_groups *
                           key_groups);
  ForEachQuery(shape, [&](const Query& q) {
    if (query_group[q.query] < 0) return;
    const int64_t head = q.batch * shape.num_heads + q.head;
    const auto sums =
        Row(pooled, head * query_groups + query_group[q.query], key_groups);
    for (int64_t j = 0; j < shape.kv_len; ++j) {
      if (key_group[j] < 0) continue;
      sums[key_group[j]] += forward.weights[q.row * shape.kv_len + j];
    }
  });
  return pooled;
}

#define KEYLENS_INSTANTIATE_REFERENCE(Real, T)                  \
  template ReferenceResult<Real> ReferenceForward<Real, T>(     \
      const AttentionInputs<T>&, const AttentionOptions&);      \
  template ReferenceGradients<Real> ReferenceBackward<Real, T>( \
      const AttentionInputs<T>&, const AttentionOptions&,       \
      TensorView<const T, 4>)

KEYLENS_INSTANTIATE_REFERENCE(double, float);
KEYLENS_INSTANTIATE_REFERENCE(double, double);
KEYLENS_INSTANTIATE_REFERENCE(float, float);

template ReferenceStatistics<double> ReferenceInspect(
    const ReferenceResult<double>&, int64_t);
template ReferenceStatistics<float> ReferenceInspect(
    const ReferenceResult<float>&, int64_t);
template std::vector<double> ReferencePooled(const ReferenceResult<double>&,
                                             std::span<const int32_t>,
                                             std::span<const int32_t>, int64_t,
                                             int64_t);
template std::vector<float> ReferencePooled(const ReferenceResult<float>&,
                                            std::span<const int32_t>,
                                            std::span<const int32_t>, int64_t,
                                            int64_t);

}  // namespace keylens
