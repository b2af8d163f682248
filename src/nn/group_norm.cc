#include <keylens/nn/group_norm.h>

#include <sstream>
#include <stdexcept>

#include "src/nn/function_inputs.h"
#include "src/nn/group_norm_passes.h"

namespace keylens::nn {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

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
    const torch::Tensor y_grad =
        out_grads[0].contiguous(call.x.suggest_memory_format());
    const NormGradients gradients =
        NormBackward(call, {saved[4], saved[5]}, y_grad);
    return {gradients.x, gradients.weight, gradients.bias, gradients.film,
            torch::Tensor()};
  }
};

void CheckShapes(const torch::Tensor& x, const torch::Tensor& weight,
                 const torch::Tensor& bias, const torch::Tensor& film,
                 int64_t num_groups) {
  CheckMap("GroupNorm", "x", x);
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
