#include "src/nn/group_norm_passes.h"

#include <cmath>
#include <type_traits>
#include <vector>

#include "src/nn/group_norm_kernels.h"

namespace keylens::nn {
namespace {

int64_t GroupSize(const NormCall& call) {
  return call.channels() / call.num_groups;
}

MapShape ShapeOf(const NormCall& call) {
  return {call.channels(), call.x.size(2) * call.x.size(3),
          !call.x.is_contiguous()};
}

// Picture i of a map of Ts that is dense.
template <typename T>
T* Picture(const torch::Tensor& map, int64_t i) {
  return static_cast<T*>(map.data_ptr()) + i * map.stride(0);
}

// 1 + scale of picture i and channel c.
float FilmScale(const NormCall& call, int64_t i, int64_t c) {
  return call.film.defined()
             ? 1 + call.film.data_ptr<float>()[i * 2 * call.channels() + c]
             : 1;
}

float FilmShift(const NormCall& call, int64_t i, int64_t c) {
  return call.film.defined()
             ? call.film.data_ptr<float>()[(i * 2 + 1) * call.channels() + c]
             : 0;
}

// An affine map of one picture's channels.
struct PictureAffine {
  explicit PictureAffine(int64_t channels)
      : center(channels), scale(channels), shift(channels) {}
  ChannelAffine view() const {
    return {center.data(), scale.data(), shift.data()};
  }
  std::vector<float> center, scale, shift;
};

// What normalisation, weight, bias and film amount to; mean and rstd are those
// of picture i.
PictureAffine AffineOf(const NormCall& call, int64_t i, const float* mean,
                       const float* rstd) {
  PictureAffine affine(call.channels());
  const float* weight = call.weight.data_ptr<float>();
  const float* bias = call.bias.data_ptr<float>();
  for (int64_t c = 0; c < call.channels(); ++c) {
    const int64_t group = c / GroupSize(call);
    affine.center[c] = mean[group];
    affine.scale[c] = rstd[group] * weight[c] * FilmScale(call, i, c);
    affine.shift[c] = bias[c] * FilmScale(call, i, c) + FilmShift(call, i, c);
  }
  return affine;
}

float ToFloat(float value) { return value; }
float ToFloat(BFloat16 value) {
  return static_cast<float>(
      c10::BFloat16(value.bits, c10::BFloat16::from_bits()));
}

// mean and rstd [num_groups] of picture i. The channels' moments are taken
// about their first pixels, so that a mean far from 0 costs no digits, and put
// together in double.
template <typename T>
void GroupMoments(const NormCall& call, int64_t i, double eps, float* mean,
                  float* rstd) {
  const MapShape shape = ShapeOf(call);
  const T* x = Picture<T>(call.x, i);
  std::vector<float> center(shape.channels), sum(shape.channels),
      square_sum(shape.channels);
  const int64_t channel_stride = shape.channels_last ? 1 : shape.pixels;
  for (int64_t c = 0; c < shape.channels; ++c)
    center[c] = ToFloat(x[c * channel_stride]);
  ChannelMoments(shape, x, center.data(), sum.data(), square_sum.data());
  const double pixels = static_cast<double>(shape.pixels),
               count = pixels * static_cast<double>(GroupSize(call));
  for (int64_t g = 0; g < call.num_groups; ++g) {
    const int64_t begin = g * GroupSize(call), end = begin + GroupSize(call);
    double group_sum = 0, spread = 0;
    for (int64_t c = begin; c < end; ++c)
      group_sum += sum[c] + center[c] * pixels;
    const double group_mean = group_sum / count;
    for (int64_t c = begin; c < end; ++c) {
      const double offset = center[c] - group_mean;
      spread += square_sum[c] + 2 * offset * sum[c] + offset * offset * pixels;
    }
    mean[g] = static_cast<float>(group_mean);
    rstd[g] =
        static_cast<float>(1 / std::sqrt(std::max(spread, 0.0) / count + eps));
  }
}

template <typename T>
void ForwardPictures(const NormCall& call, double eps,
                     const NormMoments& moments, const torch::Tensor& y) {
  at::parallel_for(0, call.batch(), 1, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      float* mean = moments.mean.data_ptr<float>() + i * call.num_groups;
      float* rstd = moments.rstd.data_ptr<float>() + i * call.num_groups;
      GroupMoments<T>(call, i, eps, mean, rstd);
      ApplyAffine(ShapeOf(call), Picture<T>(call.x, i),
                  AffineOf(call, i, mean, rstd).view(), call.silu,
                  Picture<T>(y, i));
    }
  });
}

// The sums over pixels [b, c] of z_grad, and of z_grad times the normalised x.
struct ChannelSums {
  torch::Tensor plain, normalised;
};

// How x_grad follows from z_grad, channel by channel: with n = normalised x, s
// = weight * film scale, and means over the group, x_grad = rstd * (s z_grad -
// mean(s z_grad) - n mean(s z_grad n)).
struct GradientAffine {
  explicit GradientAffine(PictureAffine forward)
      : affine(std::move(forward)), x_scale(affine.scale.size()) {}
  PictureAffine affine;
  std::vector<float> x_scale;
};

GradientAffine GradientAffineOf(const NormCall& call, PictureAffine forward,
                                const float* rstd, const float* plain,
                                const float* normalised) {
  GradientAffine gradient(std::move(forward));
  const double count =
      static_cast<double>(GroupSize(call) * ShapeOf(call).pixels);
  for (int64_t g = 0; g < call.num_groups; ++g) {
    const int64_t begin = g * GroupSize(call), end = begin + GroupSize(call);
    // affine.scale is rstd * s already.
    double mean_plain = 0, mean_normalised = 0;
    for (int64_t c = begin; c < end; ++c) {
      mean_plain += gradient.affine.scale[c] * plain[c] / count;
      mean_normalised += gradient.affine.scale[c] * normalised[c] / count;
    }
    for (int64_t c = begin; c < end; ++c) {
      gradient.affine.shift[c] = static_cast<float>(-mean_plain);
      gradient.x_scale[c] = static_cast<float>(-rstd[g] * mean_normalised);
    }
  }
  return gradient;
}

// Writes x_grad of picture i and its channel sums. `scratch` holds one picture
// in float.
template <typename T>
void PictureBackward(const NormCall& call, int64_t i,
                     const NormMoments& moments, const T* y_grad, T* x_grad,
                     float* scratch, const ChannelSums& sums) {
  const MapShape shape = ShapeOf(call);
  const T* x = Picture<T>(call.x, i);
  const float* rstd = moments.rstd.data_ptr<float>() + i * call.num_groups;
  float* plain = Picture<float>(sums.plain, i);
  float* normalised = Picture<float>(sums.normalised, i);
  PictureAffine forward = AffineOf(
      call, i, moments.mean.data_ptr<float>() + i * call.num_groups, rstd);
  ActivationGradient(shape, x, forward.view(), call.silu, y_grad, scratch,
                     plain, normalised);
  for (int64_t c = 0; c < shape.channels; ++c)
    normalised[c] *= rstd[c / GroupSize(call)];
  const GradientAffine gradient =
      GradientAffineOf(call, std::move(forward), rstd, plain, normalised);
  CombineGradient(shape, x, gradient.affine.view(), gradient.x_scale.data(),
                  scratch, x_grad);
}

template <typename T>
void BackwardPictures(const NormCall& call, const NormMoments& moments,
                      const torch::Tensor& y_grad, const torch::Tensor& x_grad,
                      const ChannelSums& sums) {
  at::parallel_for(0, call.batch(), 1, [&](int64_t begin, int64_t end) {
    std::vector<float> scratch(std::is_same_v<T, float> ? 0
                                                        : call.x[0].numel());
    for (int64_t i = begin; i < end; ++i) {
      T* x_grad_i = Picture<T>(x_grad, i);
      // Float gradients pass through the place where they end up.
      float* z_grad = std::is_same_v<T, float>
                          ? reinterpret_cast<float*>(x_grad_i)
                          : scratch.data();
      PictureBackward<T>(call, i, moments, Picture<T>(y_grad, i), x_grad_i,
                         z_grad, sums);
    }
  });
}

// Fills the gradients of weight, bias and film, from the channel sums of all
// pictures.
void FillParameterGradients(const NormCall& call, const ChannelSums& sums,
                            NormGradients* gradients) {
  if (!call.film.defined()) {
    gradients->weight = sums.normalised.sum(0);
    gradients->bias = sums.plain.sum(0);
    return;
  }
  const torch::Tensor scale = call.film.narrow(1, 0, call.channels()) + 1;
  gradients->weight = (sums.normalised * scale).sum(0);
  gradients->bias = (sums.plain * scale).sum(0);
  gradients->film = torch::cat(
      {sums.normalised * call.weight + sums.plain * call.bias, sums.plain}, 1);
}

bool IsBFloat16(const torch::Tensor& map) {
  return map.scalar_type() == torch::kBFloat16;
}

}  // namespace

torch::Tensor NormForward(const NormCall& call, double eps,
                          const NormMoments& moments) {
  torch::Tensor y = at::empty_like(call.x);
  if (IsBFloat16(call.x)) {
    ForwardPictures<BFloat16>(call, eps, moments, y);
  } else {
    ForwardPictures<float>(call, eps, moments, y);
  }
  return y;
}

NormGradients NormBackward(const NormCall& call, const NormMoments& moments,
                           const torch::Tensor& y_grad) {
  NormGradients gradients;
  gradients.x = at::empty_like(call.x);
  const ChannelSums sums{at::empty({call.batch(), call.channels()}),
                         at::empty({call.batch(), call.channels()})};
  if (IsBFloat16(call.x)) {
    BackwardPictures<BFloat16>(call, moments, y_grad, gradients.x, sums);
  } else {
    BackwardPictures<float>(call, moments, y_grad, gradients.x, sums);
  }
  FillParameterGradients(call, sums, &gradients);
  return gradients;
}

}  // namespace keylens::nn
