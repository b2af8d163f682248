#ifndef KEYLENS_NN_GROUP_NORM_H_
#define KEYLENS_NN_GROUP_NORM_H_

#include <torch/torch.h>

namespace keylens::nn {

enum class NormActivation { kNone, kSilu };

struct GroupNormFuncOptions {
  int64_t num_groups = 1;
  double eps = 1e-5;
  NormActivation activation = NormActivation::kNone;
};

// y = activation(normalise(x) * (1 + scale) + shift), normalise(x) = (x - mean)
// / sqrt(variance + eps) * weight + bias, with mean and variance over each
// group of channels of each picture.
//
//   x:            [b, c, h, w], float32 or bfloat16, contiguous or
//   channels_last
//                 (anything else is made contiguous)
//   weight, bias: [c], float32
//   film:         [b, 2 * c], float32, scale beside shift; undefined: none
//   y:            the shape, type and format of x
//
// One fused pass for the statistics and one for the values; what is kept for
// the backward pass is x, mean and 1/standard deviation. On the CPU;
// differentiable once, by x, weight, bias and film. Throws
// std::invalid_argument unless num_groups divides c and the shapes agree.
torch::Tensor GroupNormFunc(const torch::Tensor& x, const torch::Tensor& weight,
                            const torch::Tensor& bias,
                            const torch::Tensor& film,
                            const GroupNormFuncOptions& options);

// GroupNormFunc as a module. Parameters: weight, bias [channels], as
// torch::nn::GroupNorm has them.
class GroupNormImpl : public torch::nn::Cloneable<GroupNormImpl> {
 public:
  GroupNormImpl(int64_t num_groups, int64_t num_channels,
                NormActivation activation = NormActivation::kNone);
  void reset() override;

  torch::Tensor forward(const torch::Tensor& x, const torch::Tensor& film = {});

  torch::Tensor weight, bias;

 private:
  GroupNormFuncOptions options_;
  int64_t num_channels_;
};
TORCH_MODULE(GroupNorm);

// Group normalisation followed by SiLU, fused.
class GroupNormSiluImpl : public GroupNormImpl {
 public:
  GroupNormSiluImpl(int64_t num_groups, int64_t num_channels)
      : GroupNormImpl(num_groups, num_channels, NormActivation::kSilu) {}
};
TORCH_MODULE(GroupNormSilu);

}  // namespace keylens::nn

#endif  // KEYLENS_NN_GROUP_NORM_H_
