#include <keylens/nn/linear.h>

#include "src/nn/function_inputs.h"

namespace keylens::nn {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

torch::Tensor PointwiseConvolution(const torch::Tensor& map,
                                   const torch::Tensor& weight,
                                   const torch::Tensor& bias) {
  return at::mkldnn_convolution(map, weight, bias, /*padding=*/{0, 0},
                                /*stride=*/{1, 1}, /*dilation=*/{1, 1},
                                /*groups=*/1);
}

// rows [n, in] weight^T [in, out] + bias -> [n, out]: each row is a pixel of
// one channels_last map.
torch::Tensor TimesTransposed(const torch::Tensor& rows,
                              const torch::Tensor& weight,
                              const torch::Tensor& bias) {
  const int64_t n = rows.size(0), in = rows.size(1), out = weight.size(0);
  const torch::Tensor map = rows.view({1, n, 1, in}).permute({0, 3, 1, 2});
  const torch::Tensor result =
      PointwiseConvolution(map, weight.unsqueeze(-1).unsqueeze(-1), bias);
  return result.permute({0, 2, 3, 1}).reshape({n, out});
}

// a^T [m, n] b [n, k] -> [m, k]: the n rows of `b` are the channels of one map
// with k pixels.
torch::Tensor TransposedTimes(const torch::Tensor& a, const torch::Tensor& b) {
  const int64_t n = a.size(0), m = a.size(1), k = b.size(1);
  const torch::Tensor result = PointwiseConvolution(
      b.view({1, n, k, 1}), a.t().unsqueeze(-1).unsqueeze(-1), torch::Tensor());
  return result.reshape({m, k});
}

// On rows [n, in], dense.
class LinearFunction : public torch::autograd::Function<LinearFunction> {
 public:
  static torch::Tensor forward(AutogradContext* ctx, const torch::Tensor& rows,
                               const torch::Tensor& weight,
                               const torch::Tensor& bias) {
    ctx->save_for_backward({rows, weight});
    return TimesTransposed(rows, weight, OrUndefined(bias));
  }

  static variable_list backward(AutogradContext* ctx,
                                const variable_list& out_grads) {
    RefuseSecondDerivative("Linear");
    const variable_list saved = ctx->get_saved_variables();
    const torch::Tensor out_grad = out_grads[0].contiguous();
    variable_list gradients(3);
    if (ctx->needs_input_grad(0))
      gradients[0] = TimesTransposed(out_grad, saved[1].t(), torch::Tensor());
    if (ctx->needs_input_grad(1))
      gradients[1] = TransposedTimes(out_grad, saved[0]);
    if (ctx->needs_input_grad(2)) gradients[2] = out_grad.sum(0);
    return gradients;
  }
};

// Rows of bfloat16 on parameters of float32: matrix products of oneDNN.
class MixedLinearFunction
    : public torch::autograd::Function<MixedLinearFunction> {
 public:
  static torch::Tensor forward(AutogradContext* ctx, const torch::Tensor& rows,
                               const torch::Tensor& weight,
                               const torch::Tensor& bias) {
    const torch::Tensor rounded = weight.to(torch::kBFloat16);
    ctx->save_for_backward({rows, rounded});
    if (bias.numel() == 0) return torch::mm(rows, rounded.t());
    return torch::addmm(bias.to(torch::kBFloat16), rows, rounded.t());
  }

  static variable_list backward(AutogradContext* ctx,
                                const variable_list& out_grads) {
    RefuseSecondDerivative("Linear");
    const variable_list saved = ctx->get_saved_variables();
    const torch::Tensor out_grad = out_grads[0].contiguous();
    variable_list gradients(3);
    if (ctx->needs_input_grad(0)) gradients[0] = torch::mm(out_grad, saved[1]);
    if (ctx->needs_input_grad(1))
      gradients[1] = torch::mm(out_grad.t(), saved[0]).to(torch::kFloat32);
    if (ctx->needs_input_grad(2))
      gradients[2] = out_grad.sum(0, /*keepdim=*/false, torch::kFloat32);
    return gradients;
  }
};

bool IsMixed(const torch::Tensor& x, const torch::Tensor& weight) {
  return x.scalar_type() == torch::kBFloat16 &&
         weight.scalar_type() == torch::kFloat32;
}

// Whether the multiplication goes to oneDNN rather than to the BLAS that
// libtorch was built with.
bool UseConvolution(const torch::Tensor& x, const torch::Tensor& weight) {
  return at::hasMKLDNN() && !at::hasMKL() &&
         at::globalContext().userEnabledMkldnn() && x.device().is_cpu() &&
         x.scalar_type() == torch::kFloat32 &&
         weight.scalar_type() == torch::kFloat32 && x.numel() > 0;
}

}  // namespace

torch::Tensor LinearFunc(const torch::Tensor& x, const torch::Tensor& weight,
                         const torch::Tensor& bias) {
  TORCH_CHECK(x.dim() >= 1 && weight.dim() == 2 && x.size(-1) == weight.size(1),
              "Linear: x ", x.sizes(), " does not fit weight ", weight.sizes());
  const bool mixed = IsMixed(x, weight);
  if (!mixed && !UseConvolution(x, weight))
    return torch::linear(x, weight, bias);
  std::vector<int64_t> shape = x.sizes().vec();
  shape.back() = weight.size(0);
  const torch::Tensor rows = x.reshape({-1, x.size(-1)}).contiguous();
  if (mixed)
    return MixedLinearFunction::apply(rows, weight, OrEmpty(bias)).view(shape);
  return LinearFunction::apply(rows, weight, OrEmpty(bias)).view(shape);
}

LinearImpl::LinearImpl(int64_t in_features, int64_t out_features, bool bias)
    : torch::nn::LinearImpl(
          torch::nn::LinearOptions(in_features, out_features).bias(bias)) {}

torch::Tensor LinearImpl::forward(const torch::Tensor& x) {
  return LinearFunc(x, weight, bias);
}

}  // namespace keylens::nn
