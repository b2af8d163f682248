#include <keylens/nn/conv2d.h>

namespace keylens::nn {
namespace {

// libtorch leaves small batches in one thread to a plain matrix product, which
// takes tens of times as long as oneDNN. That product alone can be
// differentiated, so the shorter way is for passes without a gradient.
bool GoesToOneDnn(const torch::Tensor& x, const torch::Tensor& weight,
                  const torch::nn::detail::ConvNdOptions<2>& options) {
  const bool wants_gradient = at::GradMode::is_enabled() &&
                              (x.requires_grad() || weight.requires_grad());
  return !wants_gradient && at::hasMKLDNN() &&
         at::globalContext().userEnabledMkldnn() && x.device().is_cpu() &&
         x.scalar_type() == torch::kFloat32 && x.numel() > 0 &&
         options.padding_mode().index() == 0 &&
         c10::get_if<torch::ExpandingArray<2>>(&options.padding()) != nullptr;
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
  if (x.scalar_type() == weight.scalar_type()) {
    if (GoesToOneDnn(x, weight, options)) {
      return at::mkldnn_convolution(
          x, weight, bias, *get<torch::ExpandingArray<2>>(options.padding()),
          *options.stride(), *options.dilation(), options.groups());
    }
    return torch::nn::Conv2dImpl::forward(x);
  }
  TORCH_CHECK(options.padding_mode().index() == 0,
              "Conv2d: bfloat16 maps are padded with zeros only");
  const torch::Tensor rounded_bias =
      bias.defined() ? bias.to(x.scalar_type()) : bias;
  return torch::conv2d(x, weight.to(x.scalar_type()), rounded_bias,
                       options.stride(),
                       get<torch::ExpandingArray<2>>(options.padding()),
                       options.dilation(), options.groups());
}

}  // namespace keylens::nn
