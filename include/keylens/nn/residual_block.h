#ifndef KEYLENS_NN_RESIDUAL_BLOCK_H_
#define KEYLENS_NN_RESIDUAL_BLOCK_H_

#include <keylens/nn/conv2d.h>
#include <keylens/nn/group_norm.h>
#include <keylens/nn/linear.h>
#include <torch/torch.h>

namespace keylens::nn {

// skip(x) + conv2(silu(film(norm2(conv1(silu(norm1(x))))))): the block of a
// denoising U-Net. The time embedding scales and shifts the channels after the
// second normalisation.
//
// Parameters: norm1, conv1 (3x3), time (linear, [2 * out_channels, time_dim]),
// norm2, conv2 (3x3, zero at first, so that a new block passes its input
// through), and skip (1x1) where in_channels != out_channels.
class ResidualBlockImpl : public torch::nn::Cloneable<ResidualBlockImpl> {
 public:
  // time_dim 0: no time embedding, and no parameter `time`.
  ResidualBlockImpl(int64_t in_channels, int64_t out_channels,
                    int64_t time_dim = 0, int64_t num_groups = 8);
  void reset() override;

  // x [b, in_channels, h, w], time [b, time_dim] -> [b, out_channels, h, w] in
  // the type and memory format of x. SiLU is expected to have been applied to
  // `time` already, once for all blocks.
  torch::Tensor forward(const torch::Tensor& x, const torch::Tensor& time = {});

  GroupNormSilu norm1 = nullptr, norm2 = nullptr;
  Conv2d conv1 = nullptr, conv2 = nullptr, skip = nullptr;
  Linear time = nullptr;

 private:
  int64_t in_channels_, out_channels_, time_dim_, num_groups_;
};
TORCH_MODULE(ResidualBlock);

}  // namespace keylens::nn

#endif  // KEYLENS_NN_RESIDUAL_BLOCK_H_
