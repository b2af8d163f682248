#ifndef KEYLENS_NN_CONV2D_H_
#define KEYLENS_NN_CONV2D_H_

#include <keylens/nn/bfloat16_convolution.h>
#include <torch/torch.h>

namespace keylens::nn {

// torch::nn::Conv2d that follows its input: float32 parameters, always, and a
// result of the map's own type. For a bfloat16 map the weights are rounded for
// the call, products are summed in float32, and gradients of the parameters
// come back as float32: the usual mixed precision.
class Conv2dImpl : public torch::nn::Conv2dImpl {
 public:
  using torch::nn::Conv2dImpl::Conv2dImpl;

  // x [b, in, h, w], float32 or bfloat16 -> [b, out, h', w'].
  torch::Tensor forward(const torch::Tensor& x);
};
TORCH_MODULE(Conv2d);

}  // namespace keylens::nn

#endif  // KEYLENS_NN_CONV2D_H_
