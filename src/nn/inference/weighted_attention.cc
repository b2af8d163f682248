#include "src/nn/inference/weighted_attention.h"

#include <keylens/inspection.h>

namespace keylens::nn {

AttentionInputs<float> SelfAttentionViews(const AttentionBranch& layer,
                                          const float* projected,
                                          const RowRange& rows, int64_t keys) {
  const int64_t stride = layer.row_stride();
  const auto part = [&](int64_t index, int64_t first, int64_t count) {
    return HeadsOfRows(projected + index * layer.width() + first * stride,
                       count, layer.heads(), layer.head_dim(), stride);
  };
  return {part(0, rows.begin, rows.end - rows.begin), part(1, 0, keys),
          part(2, 0, keys)};
}

TensorView<float, 4> AttendedView(const AttentionBranch& layer, float* attended,
                                  int64_t n) {
  return HeadsOfRows(attended, n, layer.heads(), layer.head_dim(),
                     layer.width());
}

std::unique_ptr<Mask> CausalMaskOf(const BlockOptions& options) {
  return options.causal ? CausalMask(CausalAlignment::kBottomRight) : nullptr;
}

void Attend(const AttentionInputs<float>& inputs, const Mask* mask,
            const TensorView<float, 4>& out, AttentionWeights* weights) {
  AttentionOptions options;
  options.mask = mask;
  options.num_threads = 1;
  if (weights == nullptr)
    return AttentionForward<float>(inputs, options, {out, {}});
  *weights = {
      inputs.query.shape[1], inputs.query.shape[2], inputs.key.shape[2], {}};
  const int64_t count = weights->heads * weights->query_len * weights->kv_len;
  weights->values.resize(static_cast<std::size_t>(count));
  Inspection inspection;
  inspection.weights =
      Contiguous(weights->values.data(),
                 {1, weights->heads, weights->query_len, weights->kv_len});
  AttentionForward<float>(inputs, options, {out, {}}, &inspection);
}

}  // namespace keylens::nn
