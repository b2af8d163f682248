#include <keylens/nn/group_norm.h>

#include <cmath>
#include <sstream>
#include <vector>

#include "src/nn/attention_call.h"
#include "src/nn/group_norm_kernels.h"

namespace keylens::nn {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

// The tensors of one call, checked and dense.
struct NormCall {
  torch::Tensor x;             // [b, c, h, w], contiguous or channels_last
  torch::Tensor weight, bias;  // [c]
  torch::Tensor film;          // [b, 2 * c] or undefined
  int64_t num_groups = 1;
  bool silu = false;

  int64_t batch() const { return x.size(0); }
  int64_t channels() const { return x.size(1); }
  int64_t group_size() const { return channels() / num_groups; }
  MapShape shape() const {
    return {channels(), x.size(2) * x.size(3), !x.is_contiguous()};
  }
  const float* image(const torch::Tensor& map, int64_t i) const {
    return map.data_ptr<float>() + i * x[0].numel();
  }
  // 1 + scale and shift of picture i and channel c.
  float film_scale(int64_t i, int64_t c) const {
    return film.defined() ? 1 + film.data_ptr<float>()[i * 2 * channels() + c]
                          : 1;
  }
  float film_shift(int64_t i, int64_t c) const {
    return film.defined() ? film.data_ptr<float>()[(i * 2 + 1) * channels() + c]
                          : 0;
  }
};

// The affine map of one picture's channels: what normalisation, weight, bias
// and film amount to.
struct ImageAffine {
  explicit ImageAffine(int64_t channels)
      : center(channels), scale(channels), shift(channels) {}
  ChannelAffine view() const {
    return {center.data(), scale.data(), shift.data()};
  }
  std::vector<float> center, scale, shift;
};

ImageAffine AffineOf(const NormCall& call, int64_t i, const float* mean,
                     const float* rstd) {
  ImageAffine affine(call.channels());
  const float* weight = call.weight.data_ptr<float>();
  const float* bias = call.bias.data_ptr<float>();
  for (int64_t c = 0; c < call.channels(); ++c) {
    const int64_t group = i * call.num_groups + c / call.group_size();
    affine.center[c] = mean[group];
    affine.scale[c] = rstd[group] * weight[c] * call.film_scale(i, c);
    affine.shift[c] = bias[c] * call.film_scale(i, c) + call.film_shift(i, c);
  }
  return affine;
}

// mean and rstd [num_groups] of picture i. The channels' moments are taken
// about their first pixels, so that a mean far from 0 costs no digits, and put
// together in double.
void GroupMoments(const NormCall& call, int64_t i, double eps, float* mean,
                  float* rstd) {
  const MapShape shape = call.shape();
  const float* x = call.image(call.x, i);
  std::vector<float> center(shape.channels), sum(shape.channels),
      square_sum(shape.channels);
  const int64_t channel_stride = shape.channels_last ? 1 : shape.pixels;
  for (int64_t c = 0; c < shape.channels; ++c)
    center[c] = x[c * channel_stride];
  ChannelMoments(shape, x, center.data(), sum.data(), square_sum.data());
  const double count = static_cast<double>(call.group_size() * shape.pixels);
  for (int64_t g = 0; g < call.num_groups; ++g) {
    const int64_t begin = g * call.group_size(),
                  end = begin + call.group_size();
    double group_sum = 0, spread = 0;
    for (int64_t c = begin; c < end; ++c)
      group_sum += sum[c] + static_cast<double>(center[c]) * shape.pixels;
    const double group_mean = group_sum / count;
    for (int64_t c = begin; c < end; ++c) {
      const double offset = center[c] - group_mean;
      spread +=
          square_sum[c] + 2 * offset * sum[c] + offset * offset * shape.pixels;
    }
    mean[g] = static_cast<float>(group_mean);
    rstd[g] = static_cast<float>(1 / std::sqrt(spread / count + eps));
  }
}

// The channel sums of one picture's gradient: of z_grad, and of z_grad times
// the normalised x.
struct ChannelGradients {
  float* plain;
  float* normalised;
};

// Writes x_grad of picture i and its channel sums. With n = normalised x, s =
// weight * film scale, and means over the group: x_grad = rstd * (s z_grad -
// mean(s z_grad) - n mean(s z_grad n)).
void ImageBackward(const NormCall& call, int64_t i, const float* mean,
                   const float* rstd, const float* y_grad, float* x_grad,
                   const ChannelGradients& sums) {
  const MapShape shape = call.shape();
  const float* x = call.image(call.x, i);
  const ImageAffine affine = AffineOf(call, i, mean, rstd);
  ActivationGradient(shape, x, affine.view(), call.silu, y_grad, x_grad,
                     sums.plain, sums.normalised);
  const double count = static_cast<double>(call.group_size() * shape.pixels);
  ImageAffine combine(shape.channels);
  std::vector<float> x_scale(shape.channels);
  const float* weight = call.weight.data_ptr<float>();
  for (int64_t g = 0; g < call.num_groups; ++g) {
    const int64_t begin = g * call.group_size(),
                  end = begin + call.group_size();
    const float inverse_deviation = rstd[i * call.num_groups + g];
    double mean_plain = 0, mean_normalised = 0;
    for (int64_t c = begin; c < end; ++c) {
      sums.normalised[c] *= inverse_deviation;
      const double slope = weight[c] * call.film_scale(i, c);
      mean_plain += slope * sums.plain[c] / count;
      mean_normalised += slope * sums.normalised[c] / count;
    }
    for (int64_t c = begin; c < end; ++c) {
      combine.center[c] = affine.center[c];
      combine.scale[c] = affine.scale[c];
      combine.shift[c] = static_cast<float>(-inverse_deviation * mean_plain);
      x_scale[c] = static_cast<float>(-inverse_deviation * inverse_deviation *
                                      mean_normalised);
    }
  }
  CombineGradient(shape, x, combine.view(), x_scale.data(), x_grad);
}

struct NormMoments {
  torch::Tensor mean, rstd;  // [b, num_groups]
};

torch::Tensor NormForward(const NormCall& call, double eps,
                          const NormMoments& moments) {
  const MapShape shape = call.shape();
  torch::Tensor y = at::empty_like(call.x);
  float* mean = moments.mean.data_ptr<float>();
  float* rstd = moments.rstd.data_ptr<float>();
  float* out = y.data_ptr<float>();
  at::parallel_for(0, call.batch(), 1, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      GroupMoments(call, i, eps, mean + i * call.num_groups,
                   rstd + i * call.num_groups);
      const ImageAffine affine = AffineOf(call, i, mean, rstd);
      ApplyAffine(shape, call.image(call.x, i), affine.view(), call.silu,
                  out + i * shape.channels * shape.pixels);
    }
  });
  return y;
}

// The gradients of weight, bias and film, from the channel sums [b, c] of all
// pictures.
struct ParameterGradients {
  torch::Tensor weight, bias, film;
};

ParameterGradients FromChannelSums(const NormCall& call,
                                   const torch::Tensor& plain,
                                   const torch::Tensor& normalised) {
  if (!call.film.defined())
    return {normalised.sum(0), plain.sum(0), torch::Tensor()};
  const torch::Tensor scale = call.film.narrow(1, 0, call.channels()) + 1;
  return {(normalised * scale).sum(0), (plain * scale).sum(0),
          torch::cat({normalised * call.weight + plain * call.bias, plain}, 1)};
}

class GroupNormFunction : public torch::autograd::Function<GroupNormFunction> {
 public:
  static torch::Tensor forward(AutogradContext* ctx, const torch::Tensor& x,
                               const torch::Tensor& weight,
                               const torch::Tensor& bias,
                               const torch::Tensor& film,
                               const GroupNormFuncOptions& options) {
    const NormCall call{x,
                        weight,
                        bias,
                        OrUndefined(film),
                        options.num_groups,
                        options.activation == NormActivation::kSilu};
    const NormMoments moments{at::empty({x.size(0), options.num_groups}),
                              at::empty({x.size(0), options.num_groups})};
    torch::Tensor y = NormForward(call, options.eps, moments);
    ctx->save_for_backward(
        {x, weight, bias, call.film, moments.mean, moments.rstd});
    ctx->saved_data["num_groups"] = call.num_groups;
    ctx->saved_data["silu"] = call.silu;
    return y;
  }

  static variable_list backward(AutogradContext* ctx,
                                const variable_list& out_grads) {
    RefuseSecondDerivative("GroupNorm");
    const variable_list saved = ctx->get_saved_variables();
    const NormCall call{saved[0],
                        saved[1],
                        saved[2],
                        saved[3],
                        ctx->saved_data["num_groups"].toInt(),
                        ctx->saved_data["silu"].toBool()};
    const MapShape shape = call.shape();
    const torch::Tensor y_grad =
        out_grads[0].contiguous(call.x.suggest_memory_format());
    torch::Tensor x_grad = at::empty_like(call.x);
    const torch::Tensor plain = at::empty({call.batch(), call.channels()}),
                        normalised = at::empty_like(plain);
    const float* mean = saved[4].data_ptr<float>();
    const float* rstd = saved[5].data_ptr<float>();
    const float* y_grad_data = y_grad.data_ptr<float>();
    float* x_grad_data = x_grad.data_ptr<float>();
    at::parallel_for(0, call.batch(), 1, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        const int64_t offset = i * shape.channels * shape.pixels;
        ImageBackward(call, i, mean, rstd, y_grad_data + offset,
                      x_grad_data + offset,
                      {plain.data_ptr<float>() + i * shape.channels,
                       normalised.data_ptr<float>() + i * shape.channels});
      }
    });
    const ParameterGradients parameters =
        FromChannelSums(call, plain, normalised);
    return {x_grad, parameters.weight, parameters.bias, parameters.film,
            torch::Tensor()};
  }
};

void CheckShapes(const torch::Tensor& x, const torch::Tensor& weight,
                 const torch::Tensor& bias, const torch::Tensor& film,
                 int64_t num_groups) {
  CheckTensor("GroupNorm", "x", x, 4);
  CheckTensor("GroupNorm", "weight", weight, 1);
  CheckTensor("GroupNorm", "bias", bias, 1);
  if (film.defined()) CheckTensor("GroupNorm", "film", film, 2);
  const int64_t channels = x.size(1);
  const bool film_fits =
      !film.defined() ||
      film.sizes() == at::IntArrayRef({x.size(0), 2 * channels});
  if (num_groups > 0 && channels % num_groups == 0 &&
      weight.size(0) == channels && bias.size(0) == channels && film_fits) {
    return;
  }
  std::ostringstream message;
  message << "GroupNorm: x " << x.sizes() << ", weight " << weight.sizes()
          << ", bias " << bias.sizes();
  if (film.defined()) message << ", film " << film.sizes();
  message << " and " << num_groups << " groups do not fit each other";
  throw std::invalid_argument(message.str());
}

}  // namespace

torch::Tensor GroupNormFunc(const torch::Tensor& x, const torch::Tensor& weight,
                            const torch::Tensor& bias,
                            const torch::Tensor& film,
                            const GroupNormFuncOptions& options) {
  CheckShapes(x, weight, bias, film, options.num_groups);
  if (x.numel() == 0) return x;
  const torch::Tensor dense = x.contiguous(x.suggest_memory_format());
  return GroupNormFunction::apply(dense, weight.contiguous(), bias.contiguous(),
                                  OrEmpty(film).contiguous(), options);
}

GroupNormImpl::GroupNormImpl(int64_t num_groups, int64_t num_channels,
                             NormActivation activation)
    : num_channels_(num_channels) {
  options_.num_groups = num_groups;
  options_.activation = activation;
  if (num_groups <= 0 || num_channels % num_groups != 0) {
    throw std::invalid_argument("GroupNorm: " + std::to_string(num_channels) +
                                " channels do not make " +
                                std::to_string(num_groups) + " equal groups");
  }
  reset();
}

void GroupNormImpl::reset() {
  weight = register_parameter("weight", torch::ones({num_channels_}));
  bias = register_parameter("bias", torch::zeros({num_channels_}));
}

torch::Tensor GroupNormImpl::forward(const torch::Tensor& x,
                                     const torch::Tensor& film) {
  return GroupNormFunc(x, weight, bias, film, options_);
}

}  // namespace keylens::nn
