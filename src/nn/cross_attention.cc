#include <keylens/nn/attention.h>
#include <keylens/nn/cross_attention.h>

namespace keylens::nn {
namespace {

// [batch, heads * dim, h, w] seen as [batch, heads, h * w, dim]: a view of
// contiguous and of channels_last maps.
torch::Tensor MapHeads(const torch::Tensor& map, int64_t heads) {
  return map.flatten(2)
      .unflatten(1, {heads, map.size(1) / heads})
      .transpose(2, 3);
}

// [batch, len, heads * dim] seen as [batch, heads, len, dim].
torch::Tensor TextHeads(const torch::Tensor& text, int64_t heads) {
  return text.unflatten(2, {heads, text.size(2) / heads}).transpose(1, 2);
}

}  // namespace

CrossAttentionImpl::CrossAttentionImpl(int64_t dim, int64_t context_dim,
                                       int64_t heads, int64_t dim_head)
    : dim_(dim), context_dim_(context_dim), heads_(heads), dim_head_(dim_head) {
  reset();
}

void CrossAttentionImpl::reset() {
  const int64_t inner = heads_ * dim_head_;
  to_q = register_module(
      "to_q", Conv2d(torch::nn::Conv2dOptions(dim_, inner, /*kernel_size=*/1)
                         .bias(false)));
  to_k = register_module("to_k", Linear(context_dim_, inner, /*bias=*/false));
  to_v = register_module("to_v", Linear(context_dim_, inner, /*bias=*/false));
  to_out = register_module("to_out", Conv2d(torch::nn::Conv2dOptions(
                                         inner, dim_, /*kernel_size=*/1)));
}

torch::Tensor CrossAttentionImpl::forward(
    const torch::Tensor& x, const torch::Tensor& context,
    const std::vector<int64_t>& live_lengths, AttentionRecorder* recorder) {
  AttentionReport report;
  report.want_weights = true;
  AttentionRecorder* wanting = Wanting(recorder);
  AttentionFuncOptions options;
  if (!live_lengths.empty()) options.mask = KeyPaddingMask(live_lengths);
  if (wanting != nullptr) options.report = &report;
  const torch::Tensor queries = to_q(x).to(torch::kFloat32);
  const torch::Tensor heads =
      Attention(MapHeads(queries, heads_), TextHeads(to_k(context), heads_),
                TextHeads(to_v(context), heads_), options);
  if (wanting != nullptr) wanting->Record(record_name, report.weights);
  // The output lies in memory as the queries do, so this is a view of their
  // format.
  return to_out(
      heads.transpose(2, 3).reshape(queries.sizes()).to(x.scalar_type()));
}

}  // namespace keylens::nn
