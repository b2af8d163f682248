#ifndef KEYLENS_SRC_ATTENTION_REFERENCE_REFERENCE_H_
#define KEYLENS_SRC_ATTENTION_REFERENCE_REFERENCE_H_

#include <keylens/attention.h>

#include <cstdint>
#include <span>
#include <vector>

// Attention the obvious way: plain loops over the whole query x key matrix, the
// one place where a reader can check the formulas of the kernels. Real = double
// is the oracle of the tests; Real = float is the naive formula whose error is
// the yardstick for the kernels'. Inputs may have any strides; they are not
// checked. Results are dense and row-major.
//
// Masks and score mods are the callers' own, one row of the matrix at a time,
// always through Apply and never through Classify. They work in float, so a
// call with score mods carries one rounding of the scores per mod, in double
// too.

namespace keylens {

// The lengths of every axis of a call.
struct AttentionShape {
  int64_t batch = 0;
  int64_t num_heads = 0;
  int64_t num_kv_heads = 0;
  int64_t query_len = 0;
  int64_t kv_len = 0;
  int64_t head_dim = 0;
  int64_t value_dim = 0;
};

template <typename T>
AttentionShape ShapeOf(const AttentionInputs<T>& inputs) {
  return {inputs.query.shape[0], inputs.query.shape[1], inputs.key.shape[1],
          inputs.query.shape[2], inputs.key.shape[2],   inputs.query.shape[3],
          inputs.value.shape[3]};
}

template <typename Real>
struct ReferenceResult {
  AttentionShape shape;
  std::vector<Real> scores;     // [batch, num_heads, query_len, kv_len], after
                                // mods and mask; -inf where masked
  std::vector<Real> weights;    // [batch, num_heads, query_len, kv_len]
  std::vector<Real> logsumexp;  // [batch, num_heads, query_len]
  std::vector<Real> out;        // [batch, num_heads, query_len, value_dim]
};

// Where the score of a live key is NaN or +inf, the row is NaN in weights,
// logsumexp and out. A value whose weight is 0 in float adds nothing to `out`,
// even when it is inf or NaN. Instantiated for <double, float>, <double,
// double> and <float, float>, as are all functions below.
template <typename Real, typename T>
ReferenceResult<Real> ReferenceForward(const AttentionInputs<T>& inputs,
                                       const AttentionOptions& options);

template <typename Real>
struct ReferenceGradients {
  std::vector<Real> query;  // each with the shape of the input of its name
  std::vector<Real> key;
  std::vector<Real> value;
  std::vector<Real> sinks;  // [num_heads]
  // [batch, num_heads, query_len, kv_len]: the positive part of each weight
  // times the gradient by it.
  std::vector<Real> relevance;
  // For each element of `query` and `key` the sum of the absolute values of the
  // products that it is added up from: their relative roundings count so much.
  std::vector<Real> query_condition;
  std::vector<Real> key_condition;
};

// out_grad: [batch, num_heads, query_len, value_dim]. With `forward`, what
// AttentionBackward computes from the outputs that it is given, which are
// rounded: weights = exp(scores - logsumexp), and the mean of the gradients by
// the weights is out . out_grad.
template <typename Real, typename T>
ReferenceGradients<Real> ReferenceBackward(
    const AttentionInputs<T>& inputs, const AttentionOptions& options,
    TensorView<const T, 4> out_grad, const AttentionPart<T>* forward = nullptr);

template <typename Real>
struct ReferenceStatistics {
  std::vector<Real> entropy;      // [batch, num_heads, query_len]
  std::vector<Real> key_mass;     // [batch, num_heads, kv_len]
  std::vector<Real> offset_mass;  // [batch, num_heads, offsets]
  std::vector<int64_t> top_keys;  // [batch, num_heads, query_len, k]
  std::vector<Real> top_weights;  // [batch, num_heads, query_len, k]
};

// The statistics of inspection.h, from the dense weights.
template <typename Real>
ReferenceStatistics<Real> ReferenceInspect(const ReferenceResult<Real>& forward,
                                           int64_t k);

// [batch, num_heads, query_groups, key_groups]: the weights summed over groups.
template <typename Real>
std::vector<Real> ReferencePooled(const ReferenceResult<Real>& forward,
                                  std::span<const int32_t> query_group,
                                  std::span<const int32_t> key_group,
                                  int64_t query_groups, int64_t key_groups);

}  // namespace keylens

#endif  // KEYLENS_SRC_ATTENTION_REFERENCE_REFERENCE_H_
