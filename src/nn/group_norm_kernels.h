#ifndef KEYLENS_SRC_NN_GROUP_NORM_KERNELS_H_
#define KEYLENS_SRC_NN_GROUP_NORM_KERNELS_H_

#include <cstdint>

// The passes of a group normalisation over one picture. Each reads and writes
// every element once; a picture of a U-Net fits the level-2 cache, so that a
// second pass costs little. Maps are float or bfloat16, T below; arithmetic is
// float.

namespace keylens::nn {

// The upper half of a float.
struct BFloat16 {
  uint16_t bits;
};

// One feature map in memory: pixel by pixel when channels_last, else channel by
// channel.
struct MapShape {
  int64_t channels = 0;
  int64_t pixels = 0;
  bool channels_last = false;
};

// z = (x - center) * scale + shift, channel by channel; arrays of `channels`
// floats. Centring first keeps the digits of a map whose mean is far from 0.
struct ChannelAffine {
  const float* center = nullptr;
  const float* scale = nullptr;
  const float* shift = nullptr;
};

// sum[c] = the sum over pixels of x - center[c]; square_sum[c] = that of its
// square.
void ChannelMoments(const MapShape& shape, const float* x, const float* center,
                    float* sum, float* square_sum);
void ChannelMoments(const MapShape& shape, const BFloat16* x,
                    const float* center, float* sum, float* square_sum);

// y = activation(z); SiLU where `silu`, else z itself.
void ApplyAffine(const MapShape& shape, const float* x,
                 const ChannelAffine& affine, bool silu, float* y);
void ApplyAffine(const MapShape& shape, const BFloat16* x,
                 const ChannelAffine& affine, bool silu, BFloat16* y);

// z_grad = y_grad * activation'(z), and per channel: sum[c] of z_grad,
// weighted_sum[c] of z_grad * (x - center[c]).
void ActivationGradient(const MapShape& shape, const float* x,
                        const ChannelAffine& affine, bool silu,
                        const float* y_grad, float* z_grad, float* sum,
                        float* weighted_sum);
void ActivationGradient(const MapShape& shape, const BFloat16* x,
                        const ChannelAffine& affine, bool silu,
                        const BFloat16* y_grad, float* z_grad, float* sum,
                        float* weighted_sum);

// x_grad = z_grad * affine.scale + (x - affine.center) * x_scale +
// affine.shift; x_grad may be z_grad.
void CombineGradient(const MapShape& shape, const float* x,
                     const ChannelAffine& affine, const float* x_scale,
                     const float* z_grad, float* x_grad);
void CombineGradient(const MapShape& shape, const BFloat16* x,
                     const ChannelAffine& affine, const float* x_scale,
                     const float* z_grad, BFloat16* x_grad);

}  // namespace keylens::nn

#endif  // KEYLENS_SRC_NN_GROUP_NORM_KERNELS_H_
