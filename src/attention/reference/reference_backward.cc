#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "src/attention/reference/reference.h"
#include "src/attention/reference/reference_rows.h"

namespace keylens {

using namespace reference;  // NOLINT(google-build-using-namespace)

namespace {

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

// The sum of the absolute values of what is added up for each gradient by a
// score: w_j (c_j + sum_k w_k c_k), where c_j is that of dout . v_j.
template <typename Real, typename T>
std::vector<Real> ScoreConditions(const AttentionInputs<T>& inputs,
                                  const AttentionOptions& options,
                                  const Query& q, std::span<const Real> weights,
                                  const TensorView<const T, 4>& out_grad) {
  std::vector<Real> conditions(weights.size(), Real{0});
  for (int64_t j = 0; j < static_cast<int64_t>(weights.size()); ++j) {
    if (!Counts(weights[j])) continue;
    for (int64_t d = 0; d < inputs.value.shape[3]; ++d) {
      conditions[j] += std::abs(
          static_cast<Real>(At(out_grad, q.batch, q.head, q.query, d)) *
          static_cast<Real>(At(inputs.value, q.batch, q.kv_head, j, d)));
    }
  }
  DropWeights<Real>(options.dropout, q, conditions);
  Real mean = 0;
  for (std::size_t j = 0; j < weights.size(); ++j) {
    mean += weights[j] * conditions[j];
  }
  for (std::size_t j = 0; j < weights.size(); ++j) {
    conditions[j] =
        Counts(weights[j]) ? weights[j] * (conditions[j] + mean) : 0;
  }
  return conditions;
}

// The mean of the gradients by the weights: sum of w_j grad_j.
template <typename Real>
Real MeanGradient(std::span<const Real> weights, std::span<const Real> grad) {
  Real mean = 0;
  for (std::size_t j = 0; j < weights.size(); ++j) {
    if (Counts(weights[j])) mean += weights[j] * grad[j];
  }
  return mean;
}

// The same from the output of the query: out . dout.
template <typename Real, typename T>
Real MeanGradient(const TensorView<const T, 4>& out,
                  const TensorView<const T, 4>& out_grad, const Query& q) {
  Real mean = 0;
  for (int64_t d = 0; d < out.shape[3]; ++d) {
    mean += static_cast<Real>(At(out, q.batch, q.head, q.query, d)) *
            static_cast<Real>(At(out_grad, q.batch, q.head, q.query, d));
  }
  return mean;
}

// From gradients by the weights to gradients by the scores, in place.
template <typename Real>
void SoftmaxBackward(std::span<const Real> weights, Real mean,
                     std::span<Real> grad) {
  for (std::size_t j = 0; j < weights.size(); ++j) {
    grad[j] = Counts(weights[j]) ? weights[j] * (grad[j] - mean) : Real{0};
  }
}

// Turns scores into weights, in place, and returns the logsumexp, which is the
// one that was given, if any was.
template <typename Real, typename T>
Real WeightsOf(const Query& q, const AttentionOptions& options,
               const AttentionPart<T>* forward, std::span<Real> scores) {
  if (forward == nullptr)
    return Softmax<Real>(scores, SinkOf<Real>(options, q));
  const TensorView<const float, 3>& rows = forward->logsumexp;
  const auto logsumexp = static_cast<Real>(
      rows.data[q.batch * rows.strides[0] + q.head * rows.strides[1] +
                q.query * rows.strides[2]]);
  const Real reference = logsumexp == -kInf<Real> ? Real{0} : logsumexp;
  for (Real& score : scores) score = std::exp(score - reference);
  return logsumexp;
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
                       const AttentionPart<T>* forward,
                       ReferenceGradients<Real>& gradients) {
  const AttentionShape shape = ShapeOf(inputs);
  const Real scale = Scale<Real>(options, shape);
  ScoreRow<Real> row = Scores<Real>(inputs, options, q);
  std::vector<Real> weights = row.scores;
  const Real logsumexp = WeightsOf<Real, T>(q, options, forward, weights);
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
  const Real mean =
      forward == nullptr
          ? MeanGradient<Real>(std::span<const Real>(weights), grad)
          : MeanGradient<Real, T>(forward->out, out_grad, q);
  SoftmaxBackward<Real>(std::span<const Real>(weights), mean, grad);
  if (const Real sink = SinkOf<Real>(options, q); sink != -kInf<Real>)
    gradients.sinks[q.head] -= std::exp(sink - logsumexp) * mean;
  std::vector<Real> conditions = ScoreConditions<Real>(
      inputs, options, q, std::span<const Real>(weights), out_grad);
  ScoreModsBackward(options, RowTile(shape, q), row, grad);
  ScoreModsBackward(options, RowTile(shape, q), row, conditions);

  const int64_t kv_row =
      (q.batch * shape.num_kv_heads + q.kv_head) * shape.kv_len;
  const auto query_grad = Row(gradients.query, q.row, shape.head_dim);
  const auto query_condition =
      Row(gradients.query_condition, q.row, shape.head_dim);
  for (int64_t j = 0; j < shape.kv_len; ++j) {
    if (!Counts(weights[j])) continue;
    const auto key_grad = Row(gradients.key, kv_row + j, shape.head_dim);
    const auto key_condition =
        Row(gradients.key_condition, kv_row + j, shape.head_dim);
    const Real condition = std::abs(scale * conditions[j]);
    for (int64_t d = 0; d < shape.head_dim; ++d) {
      const auto query_element =
          static_cast<Real>(At(inputs.query, q.batch, q.head, q.query, d));
      const auto key_element =
          static_cast<Real>(At(inputs.key, q.batch, q.kv_head, j, d));
      query_grad[d] += scale * grad[j] * key_element;
      key_grad[d] += scale * grad[j] * query_element;
      query_condition[d] += condition * std::abs(key_element);
      key_condition[d] += condition * std::abs(query_element);
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

}  // namespace

template <typename Real, typename T>
ReferenceGradients<Real> ReferenceBackward(const AttentionInputs<T>& inputs,
                                           const AttentionOptions& options,
                                           TensorView<const T, 4> out_grad,
                                           const AttentionPart<T>* forward) {
  const AttentionShape shape = ShapeOf(inputs);
  const int64_t kv_rows = shape.batch * shape.num_kv_heads * shape.kv_len;
  ReferenceGradients<Real> gradients;
  gradients.query.resize(shape.batch * shape.num_heads * shape.query_len *
                         shape.head_dim);
  gradients.key.resize(kv_rows * shape.head_dim);
  gradients.query_condition.resize(gradients.query.size());
  gradients.key_condition.resize(gradients.key.size());
  gradients.value.resize(kv_rows * shape.value_dim);
  gradients.sinks.resize(shape.num_heads);
  gradients.relevance.resize(shape.batch * shape.num_heads * shape.query_len *
                             shape.kv_len);
  ForEachQuery(shape, [&](const Query& q) {
    AddQueryGradients<Real>(inputs, options, q, out_grad, forward, gradients);
  });
  return gradients;
}

#define KEYLENS_INSTANTIATE_REFERENCE_BACKWARD(Real, T)         \
  template ReferenceGradients<Real> ReferenceBackward<Real, T>( \
      const AttentionInputs<T>&, const AttentionOptions&,       \
      TensorView<const T, 4>, const AttentionPart<T>*)

KEYLENS_INSTANTIATE_REFERENCE_BACKWARD(double, float);
KEYLENS_INSTANTIATE_REFERENCE_BACKWARD(double, double);
KEYLENS_INSTANTIATE_REFERENCE_BACKWARD(float, float);

}  // namespace keylens
