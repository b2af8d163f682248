#include "src/train/optimizer.h"

#include <cmath>

namespace keylens::train {
namespace {

// The optimizer's own handle on the buffer: a leaf that carries the gradient.
torch::Tensor Leaf(const torch::Tensor& values, const torch::Tensor& gradient) {
  torch::Tensor leaf = values.detach();
  leaf.set_requires_grad(true);
  leaf.mutable_grad() = gradient;
  return leaf;
}

torch::optim::AdamWOptions AdamOptions(const OptimizerOptions& options) {
  return torch::optim::AdamWOptions(0)
      .betas({options.beta1, options.beta2})
      .eps(options.epsilon)
      .weight_decay(options.weight_decay);
}

}  // namespace

Optimizer::Optimizer(torch::Tensor values, torch::Tensor gradient,
                     const OptimizerOptions& options)
    : values_(Leaf(values, gradient)),
      options_(options),
      adam_(std::vector<torch::Tensor>{values_}, AdamOptions(options)) {
  MakeState();
}

double Optimizer::Step(double learning_rate) {
  torch::NoGradGuard no_grad;
  torch::Tensor& gradient = values_.mutable_grad();
  const double norm = gradient.norm().item<double>();
  if (std::isfinite(norm)) {
    if (options_.clip_norm > 0 && norm > options_.clip_norm) {
      gradient.mul_(options_.clip_norm / norm);
    }
    adam_.param_groups()[0].options().set_lr(learning_rate);
    adam_.step();
  }
  gradient.zero_();
  return norm;
}

int64_t Optimizer::steps() const { return state().step(); }
torch::Tensor Optimizer::first_moment() const { return state().exp_avg(); }
torch::Tensor Optimizer::second_moment() const { return state().exp_avg_sq(); }

void Optimizer::Restore(int64_t steps, const torch::Tensor& first_moment,
                        const torch::Tensor& second_moment) {
  torch::NoGradGuard no_grad;
  state().step(steps);
  state().exp_avg().copy_(first_moment);
  state().exp_avg_sq().copy_(second_moment);
}

// torch's key of a parameter's state differs between its releases; there is one
// parameter, so its state is the only one.
torch::optim::AdamWParamState& Optimizer::state() const {
  return static_cast<torch::optim::AdamWParamState&>(
      *adam_.state().begin()->second);
}

// A step at learning rate 0 makes torch allocate the state and changes nothing.
void Optimizer::MakeState() {
  torch::NoGradGuard no_grad;
  const torch::Tensor zeros = torch::zeros_like(values_);
  torch::Tensor gradient = values_.grad();
  values_.mutable_grad() = zeros;
  adam_.step();
  values_.mutable_grad() = gradient;
  Restore(0, zeros, zeros);
}

}  // namespace keylens::train
