#include "src/attention/reference/reference.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "src/attention/reference/reference_rows.h"

namespace keylens {

using namespace reference;  // NOLINT(google-build-using-namespace)

namespace {

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

template <typename Real>
ReferenceStatistics<Real> ReferenceInspect(const ReferenceResult<Real>& forward,
                                           int64_t k) {
  const AttentionShape& shape = forward.shape;
  ReferenceStatistics<Real> statistics;
  statistics.entropy.resize(forward.logsumexp.size());
  statistics.key_mass.resize(shape.batch * shape.num_heads * shape.kv_len);
  const int64_t offsets =
      std::max<int64_t>(0, shape.query_len + shape.kv_len - 1);
  statistics.offset_mass.resize(shape.batch * shape.num_heads * offsets);
  statistics.top_keys.resize(forward.logsumexp.size() * k, -1);
  statistics.top_weights.resize(forward.logsumexp.size() * k);
  ForEachQuery(shape, [&](const Query& q) {
    const auto weights = Row(forward.weights, q.row, shape.kv_len);
    const auto scores = Row(forward.scores, q.row, shape.kv_len);
    const auto key_mass = Row(statistics.key_mass,
                              q.batch * shape.num_heads + q.head, shape.kv_len);
    statistics.entropy[q.row] = Entropy(weights);
    const auto offset_mass = Row(statistics.offset_mass,
                                 q.batch * shape.num_heads + q.head, offsets);
    for (int64_t j = 0; j < shape.kv_len; ++j) {
      key_mass[j] += weights[j];
      offset_mass[j - q.query + shape.query_len - 1] += weights[j];
    }
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

template ReferenceResult<double> ReferenceForward<double, float>(
    const AttentionInputs<float>&, const AttentionOptions&);
template ReferenceResult<double> ReferenceForward<double, double>(
    const AttentionInputs<double>&, const AttentionOptions&);
template ReferenceResult<float> ReferenceForward<float, float>(
    const AttentionInputs<float>&, const AttentionOptions&);

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
