#ifndef KEYLENS_SRC_NN_GROUP_NORM_PASSES_H_
#define KEYLENS_SRC_NN_GROUP_NORM_PASSES_H_

#include <torch/torch.h>

namespace keylens::nn {

// The tensors of one group normalisation, checked and dense.
struct NormCall {
  torch::Tensor
      x;  // [b, c, h, w], contiguous or channels_last; float32 or bfloat16
  torch::Tensor weight, bias;  // [c], float32
  torch::Tensor film;          // [b, 2 * c], float32, or undefined
  int64_t num_groups = 1;
  bool silu = false;

  int64_t batch() const { return x.size(0); }
  int64_t channels() const { return x.size(1); }
};

struct NormMoments {
  torch::Tensor mean, rstd;  // [b, num_groups], float32
};

struct NormGradients {
  torch::Tensor x, weight, bias;
  torch::Tensor film;  // undefined where the call has none
};

// Writes the moments and returns y, of the shape, type and format of x.
torch::Tensor NormForward(const NormCall& call, double eps,
                          const NormMoments& moments);

// y_grad has the shape, type and format of x.
NormGradients NormBackward(const NormCall& call, const NormMoments& moments,
                           const torch::Tensor& y_grad);

}  // namespace keylens::nn

#endif  // KEYLENS_SRC_NN_GROUP_NORM_PASSES_H_
