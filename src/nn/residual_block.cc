#include <keylens/nn/residual_block.h>

namespace keylens::nn {
namespace {

Conv2d Convolution(int64_t in, int64_t out, int64_t kernel) {
  return Conv2d(torch::nn::Conv2dOptions(in, out, kernel).padding(kernel / 2));
}

}  // namespace

ResidualBlockImpl::ResidualBlockImpl(int64_t in_channels, int64_t out_channels,
                                     int64_t time_dim, int64_t num_groups)
    : in_channels_(in_channels),
      out_channels_(out_channels),
      time_dim_(time_dim),
      num_groups_(num_groups) {
  reset();
}

void ResidualBlockImpl::reset() {
  norm1 = register_module("norm1", GroupNormSilu(num_groups_, in_channels_));
  conv1 = register_module("conv1", Convolution(in_channels_, out_channels_, 3));
  if (time_dim_ > 0)
    time = register_module("time", Linear(time_dim_, 2 * out_channels_));
  norm2 = register_module("norm2", GroupNormSilu(num_groups_, out_channels_));
  conv2 =
      register_module("conv2", Convolution(out_channels_, out_channels_, 3));
  torch::nn::init::zeros_(conv2->weight);
  torch::nn::init::zeros_(conv2->bias);
  if (in_channels_ != out_channels_)
    skip = register_module("skip", Convolution(in_channels_, out_channels_, 1));
}

torch::Tensor ResidualBlockImpl::forward(const torch::Tensor& x,
                                         const torch::Tensor& time_embedding) {
  const torch::Tensor film =
      time.is_empty() ? torch::Tensor() : time(time_embedding);
  const torch::Tensor branch = conv2(norm2(conv1(norm1(x)), film));
  return branch + (skip.is_empty() ? x : skip(x));
}

}  // namespace keylens::nn
