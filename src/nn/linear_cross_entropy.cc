#include <keylens/nn/linear.h>
#include <keylens/nn/linear_cross_entropy.h>

#include <algorithm>

#include "src/nn/function_inputs.h"

namespace keylens::nn {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

// Rows whose probabilities are in float32 at a time, so that they stay in the
// cache from one pass over them to the next.
constexpr int64_t kChunk = 32;

// Overwrites `logits` [n, classes] by the gradient of the rows' loss by them;
// returns the sum of the losses.
double GradientInPlace(const torch::Tensor& logits,
                       const torch::Tensor& targets, double smoothing) {
  const int64_t count = logits.size(0), classes = logits.size(1);
  const double share = smoothing / static_cast<double>(classes);
  double loss = 0;
  for (int64_t first = 0; first < count; first += kChunk) {
    const int64_t rows = std::min(kChunk, count - first);
    const torch::Tensor chunk = logits.narrow(0, first, rows);
    const torch::Tensor target = targets.narrow(0, first, rows).unsqueeze(1);
    const torch::Tensor live = target.ge(0);
    const torch::Tensor index = target.clamp_min(0);
    torch::Tensor log_p = torch::log_softmax(chunk.to(torch::kFloat32), 1);
    loss -=
        (1 - smoothing) * (log_p.gather(1, index) * live).sum().item<double>();
    if (smoothing > 0)
      loss -= share * (log_p.sum(1, true) * live).sum().item<double>();
    log_p.exp_().sub_(share);
    log_p.scatter_add_(1, index, torch::full({rows, 1}, smoothing - 1));
    if (!live.all().item<bool>()) log_p.mul_(live);
    chunk.copy_(log_p);
  }
  return loss;
}

class LinearCrossEntropyFunction
    : public torch::autograd::Function<LinearCrossEntropyFunction> {
 public:
  static torch::Tensor forward(AutogradContext* ctx, const torch::Tensor& rows,
                               const torch::Tensor& weight,
                               const torch::Tensor& targets, double smoothing) {
    const torch::Tensor logits = LinearFunc(rows, weight, torch::Tensor());
    const double loss = GradientInPlace(logits, targets, smoothing);
    ctx->save_for_backward({rows, weight, logits});
    return torch::tensor(static_cast<float>(loss));
  }

  static variable_list backward(AutogradContext* ctx,
                                const variable_list& out_grads) {
    RefuseSecondDerivative("LinearCrossEntropy");
    const variable_list saved = ctx->get_saved_variables();
    const torch::Tensor &rows = saved[0], &weight = saved[1],
                        &gradient = saved[2];
    const float factor = out_grads[0].item<float>();
    variable_list gradients(4);
    // Each is scaled where it is smallest.
    if (ctx->needs_input_grad(0)) {
      gradients[0] =
          LinearFunc(gradient, weight.t(), torch::Tensor()).mul_(factor);
    }
    if (ctx->needs_input_grad(1)) {
      gradients[1] = LinearFunc(gradient.t(), rows.t(), torch::Tensor())
                         .to(torch::kFloat32)
                         .mul_(factor);
    }
    return gradients;
  }
};

}  // namespace

torch::Tensor LinearCrossEntropy(const torch::Tensor& rows,
                                 const torch::Tensor& weight,
                                 const torch::Tensor& targets,
                                 double label_smoothing) {
  TORCH_CHECK(rows.dim() == 2 && weight.dim() == 2 &&
                  rows.size(1) == weight.size(1) && targets.dim() == 1 &&
                  targets.size(0) == rows.size(0),
              "LinearCrossEntropy: rows ", rows.sizes(), ", weight ",
              weight.sizes(), ", targets ", targets.sizes(),
              "; [n, size], [classes, size] and [n] are expected");
  TORCH_CHECK(label_smoothing >= 0 && label_smoothing < 1,
              "LinearCrossEntropy: label_smoothing is ", label_smoothing,
              "; it must be in [0, 1)");
  return LinearCrossEntropyFunction::apply(rows, weight, targets,
                                           label_smoothing);
}

}  // namespace keylens::nn
