#ifndef KEYLENS_SRC_NN_TRANSFORMER_BLOCK_H_
#define KEYLENS_SRC_NN_TRANSFORMER_BLOCK_H_

#include <keylens/nn/transformer_encoder.h>
#include <torch/torch.h>

// What the layers of an encoder and of a decoder have in common.

namespace keylens::nn {

inline torch::nn::LayerNorm MakeLayerNorm(int64_t size) {
  return torch::nn::LayerNorm(torch::nn::LayerNormOptions({size}));
}

inline torch::Tensor Activate(const torch::Tensor& x, Activation activation) {
  return activation == Activation::kRelu ? torch::relu(x) : torch::gelu(x);
}

}  // namespace keylens::nn

#endif  // KEYLENS_SRC_NN_TRANSFORMER_BLOCK_H_
