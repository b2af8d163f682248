#ifndef KEYLENS_SRC_TRAIN_OPTIMIZER_H_
#define KEYLENS_SRC_TRAIN_OPTIMIZER_H_

#include <torch/torch.h>

#include <cstdint>
#include <vector>

#include "src/parallel/thread_pool.h"
#include "src/train/trainer_options.h"

namespace keylens::train {

// AdamW (Loshchilov, Hutter: Decoupled weight decay regularization, algorithm
// 2) and the moving average of the weights, over flat buffers of equal length.
//
// A step is two passes over memory, shared among threads: one adds up the
// workers' gradients and their norm, one updates everything.
// torch::optim::AdamW takes nine passes in one thread, a seventh of the time of
// a training step; see docs/decisions.
class Optimizer {
 public:
  // `values` are the weights; `gradients` one buffer for each worker, whose sum
  // is the gradient; `average` the moving average. All are shared, not copied,
  // contiguous float32 on the CPU.
  Optimizer(torch::Tensor values, std::vector<torch::Tensor> gradients,
            torch::Tensor average, const OptimizerOptions& options);

  // Clips the gradient, takes one step, moves the average by `average_decay`
  // (its new value is decay * average + (1 - decay) * weights), and sets the
  // gradients to zero. Returns the norm that the gradient had; where it is not
  // finite, nothing is changed but the gradients. The number of threads changes
  // no bit of what a given gradient does.
  double Step(double learning_rate, double average_decay, ThreadPool& threads);

  // Steps taken, and the running means of the gradient and of its square.
  int64_t steps() const { return steps_; }
  const torch::Tensor& first_moment() const { return first_moment_; }
  const torch::Tensor& second_moment() const { return second_moment_; }

  // Continues as an optimizer whose moments and count were these.
  void Restore(int64_t steps, const torch::Tensor& first_moment,
               const torch::Tensor& second_moment);

 private:
  double SumGradients(ThreadPool& threads);
  void Update(double learning_rate, double average_decay, double gradient_scale,
              ThreadPool& threads);

  OptimizerOptions options_;
  torch::Tensor values_;
  std::vector<torch::Tensor> gradients_;
  torch::Tensor average_;
  torch::Tensor first_moment_;
  torch::Tensor second_moment_;
  int64_t steps_ = 0;
};

}  // namespace keylens::train

#endif  // KEYLENS_SRC_TRAIN_OPTIMIZER_H_
