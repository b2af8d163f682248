#include <keylens/nn/conv2d.h>

namespace keylens::nn {

bool HasBFloat16Convolution() {
#if (defined(__x86_64__) || defined(__i386__)) && defined(__GNUC__)
  __builtin_cpu_init();
  return at::hasMKLDNN() && __builtin_cpu_supports("avx512bf16");
#else
  return false;
#endif
}

torch::Tensor Conv2dImpl::forward(const torch::Tensor& x) {
  if (x.scalar_type() == weight.scalar_type())
    return torch::nn::Conv2dImpl::forward(x);
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
