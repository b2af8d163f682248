// The lanes of a vector as channels of a map, or as pixels of one channel, so
// that a pass over a map is written once for both memory formats.

#if defined(KEYLENS_SRC_NN_GROUP_NORM_LANES_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef KEYLENS_SRC_NN_GROUP_NORM_LANES_INL_H_
#undef KEYLENS_SRC_NN_GROUP_NORM_LANES_INL_H_
#else
#define KEYLENS_SRC_NN_GROUP_NORM_LANES_INL_H_
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <cstddef>
#include <cstring>

#include "src/attention/tile/exp-inl.h"
#include "src/nn/group_norm_kernels.h"

HWY_BEFORE_NAMESPACE();
namespace keylens::nn {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using D = hn::ScalableTag<float>;
using V = hn::Vec<D>;

// Sums run over this many pixels in a lane before they are added to the total,
// which bounds their rounding error.
constexpr int64_t kChunk = 64;

HWY_INLINE V LoadSome(const float* p, size_t count) {
  const D d;
  return count == hn::Lanes(d) ? hn::LoadU(d, p)
                               : hn::MaskedLoad(hn::FirstN(d, count), d, p);
}

HWY_INLINE void StoreSome(V v, float* p, size_t count) {
  const D d;
  if (count == hn::Lanes(d)) {
    hn::StoreU(v, d, p);
  } else {
    hn::BlendedStore(v, hn::FirstN(d, count), d, p);
  }
}

using BitsD = hn::Rebind<uint16_t, D>;
using WideD = hn::RebindToUnsigned<D>;

HWY_INLINE V Widen(hn::Vec<BitsD> bits) {
  return hn::BitCast(D(), hn::ShiftLeft<16>(hn::PromoteTo(WideD(), bits)));
}

// Rounds to the nearest, ties to even; every NaN becomes the quiet one.
HWY_INLINE hn::Vec<BitsD> Narrow(V v) {
  const D d;
  const WideD wide;
  const hn::RebindToSigned<D> narrowable;
  const auto bits = hn::BitCast(wide, v);
  const auto odd = hn::And(hn::ShiftRight<16>(bits), hn::Set(wide, 1u));
  const auto rounded = hn::Add(bits, hn::Add(odd, hn::Set(wide, 0x7FFFu)));
  const V kept =
      hn::IfThenElse(hn::IsNaN(v), hn::BitCast(d, hn::Set(wide, 0x7FC00000u)),
                     hn::BitCast(d, rounded));
  return hn::DemoteTo(
      BitsD(),
      hn::BitCast(narrowable, hn::ShiftRight<16>(hn::BitCast(wide, kept))));
}

HWY_INLINE V LoadSome(const BFloat16* p, size_t count) {
  const BitsD d;
  if (count == hn::Lanes(d)) return Widen(hn::LoadU(d, &p->bits));
  HWY_ALIGN uint16_t lanes[HWY_MAX_BYTES / sizeof(uint16_t)] = {};
  std::memcpy(lanes, p, count * sizeof(uint16_t));
  return Widen(hn::Load(d, lanes));
}

HWY_INLINE void StoreSome(V v, BFloat16* p, size_t count) {
  const BitsD d;
  if (count == hn::Lanes(d)) {
    hn::StoreU(Narrow(v), d, &p->bits);
    return;
  }
  HWY_ALIGN uint16_t lanes[HWY_MAX_BYTES / sizeof(uint16_t)];
  hn::Store(Narrow(v), d, lanes);
  std::memcpy(p, lanes, count * sizeof(uint16_t));
}

// Lanes from `count` on become 0.
HWY_INLINE V KeepFirst(V v, size_t count) {
  const D d;
  return count == hn::Lanes(d) ? v
                               : hn::IfThenElseZero(hn::FirstN(d, count), v);
}

// 1 / v for 1 <= v, to within 1 ulp or so. One Newton step on a 14-bit estimate
// is several times the speed of AVX-512's division; elsewhere estimates are
// coarser and division is as good.
HWY_INLINE V Reciprocal(V v) {
  const D d;
#if HWY_TARGET <= HWY_AVX3
  const V estimate = hn::ApproximateReciprocal(v);
  return hn::MulAdd(estimate, hn::NegMulAdd(v, estimate, hn::Set(d, 1.0f)),
                    estimate);
#else
  return hn::Div(hn::Set(d, 1.0f), v);
#endif
}

HWY_INLINE V Sigmoid(V z) {
  const D d;
  // Beyond 88 the exponential leaves float, where the sigmoid is 0 to within
  // float anyway.
  const V power = keylens::internal::HWY_NAMESPACE::Exp(
      hn::Min(hn::Neg(z), hn::Set(d, 88.0f)));
  return Reciprocal(hn::Add(hn::Set(d, 1.0f), power));
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
HWY_INLINE Channels LoadChannels(const ChannelArrays& arrays, int64_t first,
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

HWY_INLINE void AddSums(const Channels& channels, const ChannelArrays& arrays,
                        int64_t first, size_t count) {
  const auto add = [&](V v, float* p) {
    if (p != nullptr)
      StoreSome(hn::Add(v, LoadSome(p + first, count)), p + first, count);
  };
  add(channels.sum, arrays.sum);
  add(channels.weighted_sum, arrays.weighted_sum);
}

// All lanes are one channel: [channels][pixels].
HWY_INLINE Channels BroadcastChannel(const ChannelArrays& arrays,
                                     int64_t channel) {
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

HWY_INLINE void AddLaneSums(const Channels& channels,
                            const ChannelArrays& arrays, int64_t channel) {
  const D d;
  const auto add = [&](V v, float* p) {
    if (p != nullptr) p[channel] += hn::GetLane(hn::SumOfLanes(d, v));
  };
  add(channels.sum, arrays.sum);
  add(channels.weighted_sum, arrays.weighted_sum);
}

// The vectors at `first`, `first` + stride, ... below `end`, all of `count`
// lanes.
template <class Pass>
HWY_INLINE void RunVectors(Channels* channels, int64_t first, int64_t end,
                           int64_t stride, size_t count, const Pass& pass) {
  Channels registers = *channels;
  for (int64_t offset = first; offset < end; offset += stride)
    pass(registers, offset, count);
  *channels = registers;
}

template <class Pass>
void RunChannelsLast(const MapShape& shape, const ChannelArrays& arrays,
                     const Pass& pass) {
  constexpr int64_t lanes = hn::MaxLanes(D());
  for (int64_t first_pixel = 0; first_pixel < shape.pixels;
       first_pixel += kChunk) {
    const int64_t first = first_pixel * shape.channels;
    const int64_t end =
        std::min(first_pixel + kChunk, shape.pixels) * shape.channels;
    for (int64_t c = 0; c < shape.channels; c += lanes) {
      const int64_t count = std::min(lanes, shape.channels - c);
      Channels channels = LoadChannels(arrays, c, count);
      if (count == lanes) {  // apart, so that the compiler sees whole vectors
        RunVectors(&channels, first + c, end, shape.channels, lanes, pass);
      } else {
        RunVectors(&channels, first + c, end, shape.channels, count, pass);
      }
      AddSums(channels, arrays, c, count);
    }
  }
}

template <class Pass>
void RunChannelsFirst(const MapShape& shape, const ChannelArrays& arrays,
                      const Pass& pass) {
  constexpr int64_t lanes = hn::MaxLanes(D());
  for (int64_t c = 0; c < shape.channels; ++c) {
    for (int64_t first = 0; first < shape.pixels; first += kChunk * lanes) {
      const int64_t length = std::min(kChunk * lanes, shape.pixels - first),
                    tail = length % lanes;
      const int64_t begin = c * shape.pixels + first,
                    whole = begin + length - tail;
      Channels channels = BroadcastChannel(arrays, c);
      RunVectors(&channels, begin, whole, lanes, lanes, pass);
      if (tail != 0)
        RunVectors(&channels, whole, whole + tail, lanes, tail, pass);
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

}  // namespace HWY_NAMESPACE
}  // namespace keylens::nn
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
