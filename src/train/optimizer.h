#ifndef KEYLENS_SRC_TRAIN_OPTIMIZER_H_
#define KEYLENS_SRC_TRAIN_OPTIMIZER_H_

#include <torch/torch.h>

#include <cstdint>

namespace keylens::train {

struct OptimizerOptions {
  double beta1 = 0.9;
  double beta2 = 0.99;
  double epsilon = 1e-8;
  double weight_decay = 0.01;
  double clip_norm = 1.0;  // of the whole gradient; 0: not clipped
};

// torch::optim::AdamW over one flat buffer of parameters, with gradient
// clipping, and with its moments in reach so that they can be saved.
class Optimizer {
 public:
  // `values` is changed in place by Step; both tensors are shared, not copied.
  Optimizer(torch::Tensor values, torch::Tensor gradient,
            const OptimizerOptions& options);

  // Clips the gradient, takes one step, and sets the gradient to zero. Returns
  // the norm that the gradient had; where it is not finite, nothing is changed
  // but the gradient.
  double Step(double learning_rate);

  // Steps taken, and the running means of the gradient and of its square.
  int64_t steps() const;
  torch::Tensor first_moment() const;
  torch::Tensor second_moment() const;

  // Continues as an optimizer whose moments and count were these.
  void Restore(int64_t steps, const torch::Tensor& first_moment,
               const torch::Tensor& second_moment);

 private:
  torch::optim::AdamWParamState& state() const;
  void MakeState();

  torch::Tensor values_;
  OptimizerOptions options_;
  mutable torch::optim::AdamW adam_;
};

}  // namespace keylens::train

#endif  // KEYLENS_SRC_TRAIN_OPTIMIZER_H_
