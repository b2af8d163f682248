#include "src/nn/group_norm_kernels.h"

#include <cstddef>

// Vectors are kept in structs, which scalable vectors do not allow.
#define HWY_DISABLED_TARGETS                                               \
  (HWY_SSE4 | HWY_SSSE3 | HWY_AVX3_DL | HWY_SVE | HWY_SVE2 | HWY_SVE_256 | \
   HWY_SVE2_128 | HWY_RVV)

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "src/nn/group_norm_kernels.cc"
#include <hwy/foreach_target.h>

#include "src/nn/group_norm_lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace keylens::nn {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

template <typename T>
struct MomentsPass {
  const T* x;

  HWY_INLINE void operator()(Channels& channels, int64_t offset,
                             size_t count) const {
    const V v =
        KeepFirst(hn::Sub(LoadSome(x + offset, count), channels.center), count);
    channels.sum = hn::Add(channels.sum, v);
    channels.weighted_sum = hn::MulAdd(v, v, channels.weighted_sum);
  }
};

template <typename T, bool kSilu>
struct AffinePass {
  const T* x;
  T* y;

  HWY_INLINE void operator()(Channels& channels, int64_t offset,
                             size_t count) const {
    const V centered = hn::Sub(LoadSome(x + offset, count), channels.center);
    const V z = hn::MulAdd(centered, channels.scale, channels.shift);
    StoreSome(kSilu ? hn::Mul(z, Sigmoid(z)) : z, y + offset, count);
  }
};

template <typename T, bool kSilu>
struct ActivationGradientPass {
  const T* x;
  const T* y_grad;
  float* z_grad;

  // d silu(z) / dz = s + z s (1 - s), s the sigmoid of z.
  static HWY_INLINE V Slope(V z) {
    const V s = Sigmoid(z);
    return hn::MulAdd(hn::Mul(z, s), hn::Sub(hn::Set(D(), 1.0f), s), s);
  }

  HWY_INLINE void operator()(Channels& channels, int64_t offset,
                             size_t count) const {
    const V centered = hn::Sub(LoadSome(x + offset, count), channels.center);
    V grad = LoadSome(y_grad + offset, count);
    if (kSilu)
      grad = hn::Mul(
          grad, Slope(hn::MulAdd(centered, channels.scale, channels.shift)));
    grad = KeepFirst(grad, count);
    StoreSome(grad, z_grad + offset, count);
    channels.sum = hn::Add(channels.sum, grad);
    channels.weighted_sum = hn::MulAdd(grad, centered, channels.weighted_sum);
  }
};

template <typename T>
struct CombinePass {
  const T* x;
  const float* z_grad;
  T* x_grad;

  HWY_INLINE void operator()(Channels& channels, int64_t offset,
                             size_t count) const {
    const V centered = hn::Sub(LoadSome(x + offset, count), channels.center);
    const V from_x = hn::MulAdd(centered, channels.extra, channels.shift);
    StoreSome(
        hn::MulAdd(LoadSome(z_grad + offset, count), channels.scale, from_x),
        x_grad + offset, count);
  }
};

template <typename T>
void ChannelMomentsOf(const MapShape& shape, const T* x, const float* center,
                      float* sum, float* square_sum) {
  Run(shape, {{center, nullptr, nullptr}, nullptr, sum, square_sum},
      MomentsPass<T>{x});
}

template <typename T>
void ApplyAffineTo(const MapShape& shape, const T* x,
                   const ChannelAffine& affine, bool silu, T* y) {
  const ChannelArrays arrays{affine, nullptr, nullptr, nullptr};
  if (silu) {
    Run(shape, arrays, AffinePass<T, true>{x, y});
  } else {
    Run(shape, arrays, AffinePass<T, false>{x, y});
  }
}

template <typename T>
void ActivationGradientOf(const MapShape& shape, const T* x,
                          const ChannelAffine& affine, bool silu,
                          const T* y_grad, float* z_grad, float* sum,
                          float* weighted_sum) {
  const ChannelArrays arrays{affine, nullptr, sum, weighted_sum};
  if (silu) {
    Run(shape, arrays, ActivationGradientPass<T, true>{x, y_grad, z_grad});
  } else {
    Run(shape, arrays, ActivationGradientPass<T, false>{x, y_grad, z_grad});
  }
}

template <typename T>
void CombineGradientOf(const MapShape& shape, const T* x,
                       const ChannelAffine& affine, const float* x_scale,
                       const float* z_grad, T* x_grad) {
  Run(shape, {affine, x_scale, nullptr, nullptr},
      CombinePass<T>{x, z_grad, x_grad});
}

void ChannelMomentsF32(const MapShape& shape, const float* x,
                       const float* center, float* sum, float* square_sum) {
  ChannelMomentsOf(shape, x, center, sum, square_sum);
}

void ChannelMomentsBF16(const MapShape& shape, const BFloat16* x,
                        const float* center, float* sum, float* square_sum) {
  ChannelMomentsOf(shape, x, center, sum, square_sum);
}

void ApplyAffineF32(const MapShape& shape, const float* x,
                    const ChannelAffine& affine, bool silu, float* y) {
  ApplyAffineTo(shape, x, affine, silu, y);
}

void ApplyAffineBF16(const MapShape& shape, const BFloat16* x,
                     const ChannelAffine& affine, bool silu, BFloat16* y) {
  ApplyAffineTo(shape, x, affine, silu, y);
}

void ActivationGradientF32(const MapShape& shape, const float* x,
                           const ChannelAffine& affine, bool silu,
                           const float* y_grad, float* z_grad, float* sum,
                           float* weighted_sum) {
  ActivationGradientOf(shape, x, affine, silu, y_grad, z_grad, sum,
                       weighted_sum);
}

void ActivationGradientBF16(const MapShape& shape, const BFloat16* x,
                            const ChannelAffine& affine, bool silu,
                            const BFloat16* y_grad, float* z_grad, float* sum,
                            float* weighted_sum) {
  ActivationGradientOf(shape, x, affine, silu, y_grad, z_grad, sum,
                       weighted_sum);
}

void CombineGradientF32(const MapShape& shape, const float* x,
                        const ChannelAffine& affine, const float* x_scale,
                        const float* z_grad, float* x_grad) {
  CombineGradientOf(shape, x, affine, x_scale, z_grad, x_grad);
}

void CombineGradientBF16(const MapShape& shape, const BFloat16* x,
                         const ChannelAffine& affine, const float* x_scale,
                         const float* z_grad, BFloat16* x_grad) {
  CombineGradientOf(shape, x, affine, x_scale, z_grad, x_grad);
}

}  // namespace HWY_NAMESPACE
}  // namespace keylens::nn
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace keylens::nn {

HWY_EXPORT(ChannelMomentsF32);
HWY_EXPORT(ChannelMomentsBF16);
HWY_EXPORT(ApplyAffineF32);
HWY_EXPORT(ApplyAffineBF16);
HWY_EXPORT(ActivationGradientF32);
HWY_EXPORT(ActivationGradientBF16);
HWY_EXPORT(CombineGradientF32);
HWY_EXPORT(CombineGradientBF16);

void ChannelMoments(const MapShape& shape, const float* x, const float* center,
                    float* sum, float* square_sum) {
  HWY_DYNAMIC_DISPATCH(ChannelMomentsF32)(shape, x, center, sum, square_sum);
}

void ChannelMoments(const MapShape& shape, const BFloat16* x,
                    const float* center, float* sum, float* square_sum) {
  HWY_DYNAMIC_DISPATCH(ChannelMomentsBF16)(shape, x, center, sum, square_sum);
}

void ApplyAffine(const MapShape& shape, const float* x,
                 const ChannelAffine& affine, bool silu, float* y) {
  HWY_DYNAMIC_DISPATCH(ApplyAffineF32)(shape, x, affine, silu, y);
}

void ApplyAffine(const MapShape& shape, const BFloat16* x,
                 const ChannelAffine& affine, bool silu, BFloat16* y) {
  HWY_DYNAMIC_DISPATCH(ApplyAffineBF16)(shape, x, affine, silu, y);
}

void ActivationGradient(const MapShape& shape, const float* x,
                        const ChannelAffine& affine, bool silu,
                        const float* y_grad, float* z_grad, float* sum,
                        float* weighted_sum) {
  HWY_DYNAMIC_DISPATCH(ActivationGradientF32)
  (shape, x, affine, silu, y_grad, z_grad, sum, weighted_sum);
}

void ActivationGradient(const MapShape& shape, const BFloat16* x,
                        const ChannelAffine& affine, bool silu,
                        const BFloat16* y_grad, float* z_grad, float* sum,
                        float* weighted_sum) {
  HWY_DYNAMIC_DISPATCH(ActivationGradientBF16)
  (shape, x, affine, silu, y_grad, z_grad, sum, weighted_sum);
}

void CombineGradient(const MapShape& shape, const float* x,
                     const ChannelAffine& affine, const float* x_scale,
                     const float* z_grad, float* x_grad) {
  HWY_DYNAMIC_DISPATCH(CombineGradientF32)
  (shape, x, affine, x_scale, z_grad, x_grad);
}

void CombineGradient(const MapShape& shape, const BFloat16* x,
                     const ChannelAffine& affine, const float* x_scale,
                     const float* z_grad, BFloat16* x_grad) {
  HWY_DYNAMIC_DISPATCH(CombineGradientBF16)
  (shape, x, affine, x_scale, z_grad, x_grad);
}

}  // namespace keylens::nn
#endif  // HWY_ONCE
