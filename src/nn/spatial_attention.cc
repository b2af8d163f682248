#include <keylens/nn/attention.h>
#include <keylens/nn/spatial_attention.h>

namespace keylens::nn {

SpatialAttentionImpl::SpatialAttentionImpl(int64_t dim, int64_t heads,
                                           int64_t dim_head)
    : dim_(dim), heads_(heads), dim_head_(dim_head) {
  reset();
}

void SpatialAttentionImpl::reset() {
  const int64_t inner = heads_ * dim_head_;
  to_qkv = register_module(
      "to_qkv",
      Conv2d(torch::nn::Conv2dOptions(dim_, 3 * inner, /*kernel_size=*/1)
                 .bias(false)));
  to_out = register_module("to_out", Conv2d(torch::nn::Conv2dOptions(
                                         inner, dim_, /*kernel_size=*/1)));
}

torch::Tensor SpatialAttentionImpl::forward(const torch::Tensor& x,
                                            AttentionRecorder* recorder) {
  AttentionReport report;
  report.want_weights = true;
  AttentionRecorder* wanting = Wanting(recorder);
  AttentionFuncOptions options;  // the engine's own scale is dim_head^-0.5
  if (wanting != nullptr) options.report = &report;
  const torch::Tensor attended =
      PackedAttention(to_qkv(x).to(torch::kFloat32), heads_, options);
  if (wanting != nullptr) wanting->Record(record_name, report.weights);
  return to_out(attended.to(x.scalar_type()));
}

}  // namespace keylens::nn
