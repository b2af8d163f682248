#ifndef KEYLENS_SYSTEMS_GENERATOR_SCHEDULERS_SCHEDULER_H_
#define KEYLENS_SYSTEMS_GENERATOR_SCHEDULERS_SCHEDULER_H_

#include <torch/torch.h>

#include <cstdint>
#include <vector>

namespace keylens::generator {

// The walk of one picture from noise to itself, in a number of steps that was
// chosen when it was made. It may remember what it has seen (a method of
// several steps does), so that every picture has one of its own, and its steps
// come in order.
//
//   x = initial_sigma() * noise
//   for step in [0, timesteps().size()):
//     output = network(ScaleInput(x, step), timesteps()[step])
//     x = Step(x, output, step, noise where NeedsNoise(step))
//
// Tensors are [n, channels, rows, columns].
class Scheduler {
 public:
  virtual ~Scheduler() = default;

  // What the network is told of time in each step, in the network's units. As
  // many as there are steps; a method that asks twice in a step has more.
  virtual const std::vector<double>& timesteps() const = 0;

  // By what the first noise, normal with deviation 1, is multiplied.
  virtual double initial_sigma() const { return 1; }

  // x as the network takes it.
  virtual torch::Tensor ScaleInput(const torch::Tensor& x, int64_t step) const {
    (void)step;
    return x;
  }

  // Whether `Step` takes noise of its own, normal with deviation 1.
  virtual bool NeedsNoise(int64_t step) const {
    (void)step;
    return false;
  }

  // x after the step, from what the network said. `noise` is undefined where
  // none is needed.
  virtual torch::Tensor Step(const torch::Tensor& x,
                             const torch::Tensor& output, int64_t step,
                             const torch::Tensor& noise) = 0;

  // A picture as far gone in noise as x is before the step: where a drawing
  // starts from a picture.
  virtual torch::Tensor AddNoise(const torch::Tensor& picture,
                                 const torch::Tensor& noise,
                                 int64_t step) const = 0;
};

}  // namespace keylens::generator

#endif  // KEYLENS_SYSTEMS_GENERATOR_SCHEDULERS_SCHEDULER_H_
