#ifndef KEYLENS_NN_LINEAR_H_
#define KEYLENS_NN_LINEAR_H_

#include <torch/torch.h>

namespace keylens::nn {

// x [..., in], weight [out, in], bias [out] or undefined  ->  x weight^T + bias
// [..., out]
//
// The values of torch::linear. libtorch builds that lean on a plain BLAS
// multiply matrices tens of times slower than they convolve, so forward and
// backward run as 1x1 convolutions of oneDNN where libtorch has it and has no
// MKL. float32 on the CPU; differentiable once there.
//
// It follows its input: for bfloat16 rows the weights are rounded for the call,
// products are summed in float32, the result is bfloat16, and gradients of the
// parameters come back as float32.
torch::Tensor LinearFunc(const torch::Tensor& x, const torch::Tensor& weight,
                         const torch::Tensor& bias);

// torch::nn::Linear over LinearFunc: the same parameters, `weight` [out, in]
// and `bias` [out], and the same initial values.
class LinearImpl : public torch::nn::LinearImpl {
 public:
  LinearImpl(int64_t in_features, int64_t out_features, bool bias = true);

  torch::Tensor forward(const torch::Tensor& x);  // [..., in] -> [..., out]
};
TORCH_MODULE(Linear);

}  // namespace keylens::nn

#endif  // KEYLENS_NN_LINEAR_H_
