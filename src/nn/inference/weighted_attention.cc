#include "src/nn/inference/weighted_attention.h"

#include <keylens/inspection.h>

namespace keylens::nn {

AttentionInputs<float> SelfAttentionViews(const AttentionBlock& layer,
                                          int64_t heads, const float* projected,
                                          int64_t n) {
  const int64_t size = layer.hidden_size(), stride = layer.row_stride();
  const auto part = [&](int64_t index) {
    return HeadsOfRows(projected + index * size, n, heads, size / heads,
                       stride);
  };
  return {part(0), part(1), part(2)};
}

TensorView<float, 4> AttendedView(const AttentionBlock& layer, int64_t heads,
                                  float* attended, int64_t n) {
  const int64_t size = layer.hidden_size();
  return HeadsOfRows(attended, n, heads, size / heads, size);
}

AttentionWeights AttendWithWeights(const AttentionInputs<float>& inputs,
                                   const Mask* mask,
                                   const TensorView<float, 4>& out) {
  AttentionWeights weights{
      inputs.query.shape[1], inputs.query.shape[2], inputs.key.shape[2], {}};
  const int64_t count = weights.heads * weights.query_len * weights.kv_len;
  weights.values.resize(static_cast<std::size_t>(count));
  Inspection inspection;
  inspection.weights =
      Contiguous(weights.values.data(),
                 {1, weights.heads, weights.query_len, weights.kv_len});
  AttentionOptions options;
  options.mask = mask;
  options.num_threads = 1;
  AttentionForward<float>(inputs, options, {out, {}}, &inspection);
  return weights;
}

}  // namespace keylens::nn
