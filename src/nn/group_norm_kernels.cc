#include "src/nn/group_norm_kernels.h"

#include <algorithm>
#include <cstddef>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "src/nn/group_norm_kernels.cc"
#include <hwy/foreach_target.h>
// clang-format off: highway.h must follow foreach_target.h, and math-inl.h follow highway.h
#include <hwy/contrib/math/math-inl.h>
#include <hwy/highway.h>
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace keylens::nn {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using D = hn::ScalableTag<float>;
using V = hn::Vec<D>;

// Sums run over this many pixels in a lane before they are added to the total,
// which bounds their rounding error.
constexpr int64_t kChunk = 64;

V LoadSome(const float* p, size_t count) {
  const D d;
  return count == hn::Lanes(d) ? hn::LoadU(d, p)
                               : hn::MaskedLoad(hn::FirstN(d, count), d, p);
}

void StoreSome(V v, float* p, size_t count) {
  const D d;
  if (count == hn::Lanes(d)) {
    hn::StoreU(v, d, p);
  } else {
    hn::BlendedStore(v, hn::FirstN(d, count), d, p);
  }
}

// Lanes from `count` on become 0.
V KeepFirst(V v, size_t count) {
  const D d;
  return count == hn::Lanes(d) ? v
                               : hn::IfThenElseZero(hn::FirstN(d, count), v);
}

V Sigmoid(V z) {
  const D d;
  const V one = hn::Set(d, 1.0f);
  // Beyond 88 the exponential leaves float, where the sigmoid is 0 to within
  // float anyway.
  return hn::Div(
      one, hn::Add(one, hn::Exp(d, hn::Min(hn::Neg(z), hn::Set(d, 88.0f)))));
}

// What a pass knows about the channels of one vector, and what it sums for
// them.
struct Channels {
  V center, scale, shift, extra;
  V sum, weighted_sum;
};

// A pass's arrays of one float per channel; null where it has none.
struct ChannelArrays {
  ChannelAffine affine;
  const float* extra = nullptr;
  float* sum = nullptr;
  float* weighted_sum = nullptr;
};

// Adjacent lanes are adjacent channels: [pixels][channels].
Channels LoadChannels(const ChannelArrays& arrays, int64_t first,
                      size_t count) {
  const V zero = hn::Zero(D());
  const auto load = [&](const float* p) {
    return p == nullptr ? zero : LoadSome(p + first, count);
  };
  return {load(arrays.affine.center),
          load(arrays.affine.scale),
          load(arrays.affine.shift),
          load(arrays.extra),
          zero,
          zero};
}

void AddSums(const Channels& channels, const ChannelArrays& arrays,
             int64_t first, size_t count) {
  const auto add = [&](V v, float* p) {
    if (p != nullptr)
      StoreSome(hn::Add(v, LoadSome(p + first, count)), p + first, count);
  };
  add(channels.sum, arrays.sum);
  add(channels.weighted_sum, arrays.weighted_sum);
}

// All lanes are one channel: [channels][pixels].
Channels BroadcastChannel(const ChannelArrays& arrays, int64_t channel) {
  const D d;
  const auto load = [&](const float* p) {
    return hn::Set(d, p == nullptr ? 0.0f : p[channel]);
  };
  return {load(arrays.affine.center),
          load(arrays.affine.scale),
          load(arrays.affine.shift),
          load(arrays.extra),
          hn::Zero(d),
          hn::Zero(d)};
}

void AddLaneSums(const Channels& channels, const ChannelArrays& arrays,
                 int64_t channel) {
  const D d;
  const auto add = [&](V v, float* p) {
    if (p != nullptr) p[channel] += hn::GetLane(hn::SumOfLanes(d, v));
  };
  add(channels.sum, arrays.sum);
  add(channels.weighted_sum, arrays.weighted_sum);
}

template <class Pass>
void RunChannelsLast(const MapShape& shape, const ChannelArrays& arrays,
                     const Pass& pass) {
  const int64_t lanes = static_cast<int64_t>(hn::Lanes(D()));
  for (int64_t first_pixel = 0; first_pixel < shape.pixels;
       first_pixel += kChunk) {
    const int64_t end_pixel = std::min(first_pixel + kChunk, shape.pixels);
    for (int64_t c = 0; c < shape.channels; c += lanes) {
      const size_t count =
          static_cast<size_t>(std::min(lanes, shape.channels - c));
      Channels channels = LoadChannels(arrays, c, count);
      for (int64_t p = first_pixel; p < end_pixel; ++p)
        pass(channels, p * shape.channels + c, count);
      AddSums(channels, arrays, c, count);
    }
  }
}

template <class Pass>
void RunChannelsFirst(const MapShape& shape, const ChannelArrays& arrays,
                      const Pass& pass) {
  const int64_t lanes = static_cast<int64_t>(hn::Lanes(D()));
  for (int64_t c = 0; c < shape.channels; ++c) {
    for (int64_t first = 0; first < shape.pixels; first += kChunk * lanes) {
      const int64_t end = std::min(first + kChunk * lanes, shape.pixels);
      Channels channels = BroadcastChannel(arrays, c);
      for (int64_t p = first; p < end; p += lanes) {
        pass(channels, c * shape.pixels + p,
             static_cast<size_t>(std::min(lanes, end - p)));
      }
      AddLaneSums(channels, arrays, c);
    }
  }
}

// Calls pass(channels, offset, count) for every vector of the map: `count`
// floats at `offset`.
template <class Pass>
void Run(const MapShape& shape, const ChannelArrays& arrays, const Pass& pass) {
  for (float* sums : {arrays.sum, arrays.weighted_sum}) {
    if (sums != nullptr) std::fill_n(sums, shape.channels, 0.0f);
  }
  if (shape.channels_last) {
    RunChannelsLast(shape, arrays, pass);
  } else {
    RunChannelsFirst(shape, arrays, pass);
  }
}

struct MomentsPass {
  const float* x;

  void operator()(Channels& channels, int64_t offset, size_t count) const {
    const V v =
        KeepFirst(hn::Sub(LoadSome(x + offset, count), channels.center), count);
    channels.sum = hn::Add(channels.sum, v);
    channels.weighted_sum = hn::MulAdd(v, v, channels.weighted_sum);
  }
};

template <bool kSilu>
struct AffinePass {
  const float* x;
  float* y;

  void operator()(Channels& channels, int64_t offset, size_t count) const {
    const V centered = hn::Sub(LoadSome(x + offset, count), channels.center);
    const V z = hn::MulAdd(centered, channels.scale, channels.shift);
    StoreSome(kSilu ? hn::Mul(z, Sigmoid(z)) : z, y + offset, count);
  }
};

template <bool kSilu>
struct ActivationGradientPass {
  const float* x;
  const float* y_grad;
  float* z_grad;

  // d silu(z) / dz = s + z s (1 - s), s the sigmoid of z.
  static V Slope(V z) {
    const V s = Sigmoid(z);
    return hn::MulAdd(hn::Mul(z, s), hn::Sub(hn::Set(D(), 1.0f), s), s);
  }

  void operator()(Channels& channels, int64_t offset, size_t count) const {
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

struct CombinePass {
  const float* x;
  float* grad;

  void operator()(Channels& channels, int64_t offset, size_t count) const {
    const V centered = hn::Sub(LoadSome(x + offset, count), channels.center);
    const V from_x = hn::MulAdd(centered, channels.extra, channels.shift);
    StoreSome(
        hn::MulAdd(LoadSome(grad + offset, count), channels.scale, from_x),
        grad + offset, count);
  }
};

void ChannelMoments(const MapShape& shape, const float* x, const float* center,
                    float* sum, float* square_sum) {
  Run(shape, {{center, nullptr, nullptr}, nullptr, sum, square_sum},
      MomentsPass{x});
}

void ApplyAffine(const MapShape& shape, const float* x,
                 const ChannelAffine& affine, bool silu, float* y) {
  const ChannelArrays arrays{affine, nullptr, nullptr, nullptr};
  if (silu) {
    Run(shape, arrays, AffinePass<true>{x, y});
  } else {
    Run(shape, arrays, AffinePass<false>{x, y});
  }
}

void ActivationGradient(const MapShape& shape, const float* x,
                        const ChannelAffine& affine, bool silu,
                        const float* y_grad, float* z_grad, float* sum,
                        float* weighted_sum) {
  const ChannelArrays arrays{affine, nullptr, sum, weighted_sum};
  if (silu) {
    Run(shape, arrays, ActivationGradientPass<true>{x, y_grad, z_grad});
  } else {
    Run(shape, arrays, ActivationGradientPass<false>{x, y_grad, z_grad});
  }
}

void CombineGradient(const MapShape& shape, const float* x,
                     const ChannelAffine& affine, const float* x_scale,
                     float* grad) {
  Run(shape, {affine, x_scale, nullptr, nullptr}, CombinePass{x, grad});
}

}  // namespace HWY_NAMESPACE
}  // namespace keylens::nn
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace keylens::nn {

HWY_EXPORT(ChannelMoments);
HWY_EXPORT(ApplyAffine);
HWY_EXPORT(ActivationGradient);
HWY_EXPORT(CombineGradient);

void ChannelMoments(const MapShape& shape, const float* x, const float* center,
                    float* sum, float* square_sum) {
  HWY_DYNAMIC_DISPATCH(ChannelMoments)(shape, x, center, sum, square_sum);
}

void ApplyAffine(const MapShape& shape, const float* x,
                 const ChannelAffine& affine, bool silu, float* y) {
  HWY_DYNAMIC_DISPATCH(ApplyAffine)(shape, x, affine, silu, y);
}

void ActivationGradient(const MapShape& shape, const float* x,
                        const ChannelAffine& affine, bool silu,
                        const float* y_grad, float* z_grad, float* sum,
                        float* weighted_sum) {
  HWY_DYNAMIC_DISPATCH(ActivationGradient)
  (shape, x, affine, silu, y_grad, z_grad, sum, weighted_sum);
}

void CombineGradient(const MapShape& shape, const float* x,
                     const ChannelAffine& affine, const float* x_scale,
                     float* grad) {
  HWY_DYNAMIC_DISPATCH(CombineGradient)(shape, x, affine, x_scale, grad);
}

}  // namespace keylens::nn
#endif  // HWY_ONCE
