#include <keylens/nn/conv2d.h>

namespace keylens::nn {
namespace {

// torch::conv2d takes oneDNN only for what it thinks worthwhile: not for 1x1
// kernels in one thread, nor for small maps. Its other path leans on the BLAS,
// which may take tens of times as long, and rounds otherwise, so that the bits
// of a result would depend on the number of threads.
bool UseOneDnn(const torch::Tensor& x) {
  const bool supported =
      x.scalar_type() == torch::kFloat32 || x.scalar_type() == torch::kBFloat16;
  return at::hasMKLDNN() && at::globalContext().userEnabledMkldnn() &&
         x.device().is_cpu() && supported && x.dim() == 4 && x.numel() > 0;
}

}  // namespace

bool HasBFloat16Convolution() {
#if (defined(__x86_64__) || defined(__i386__)) && defined(__GNUC__)
  __builtin_cpu_init();
  return at::hasMKLDNN() && __builtin_cpu_supports("avx512bf16");
#else
  return false;
#endif
}

torch::Tensor Conv2dImpl::forward(const torch::Tensor& x) {
  // A padding that is named instead of counted, and borders that are not 0, are
  // left to torch.
  const bool plain =
      options.padding_mode().index() == 0 && options.padding().index() == 0;
  if (!plain || !UseOneDnn(x)) {
    TORCH_CHECK(x.scalar_type() == weight.scalar_type(), "Conv2d: a ",
                x.scalar_type(),
                " map needs oneDNN and a counted padding of zeros");
    return torch::nn::Conv2dImpl::forward(x);
  }
  const torch::Tensor rounded_bias =
      bias.defined() ? bias.to(x.scalar_type()) : bias;
  return at::mkldnn_convolution(
      x, weight.to(x.scalar_type()), rounded_bias,
      *get<torch::ExpandingArray<2>>(options.padding()), *options.stride(),
      *options.dilation(), options.groups());
}

}  // namespace keylens::nn
