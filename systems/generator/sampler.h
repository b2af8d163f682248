#ifndef KEYLENS_SYSTEMS_GENERATOR_SAMPLER_H_
#define KEYLENS_SYSTEMS_GENERATOR_SAMPLER_H_

#include <torch/torch.h>

#include <array>
#include <cstdint>
#include <memory>
#include <string>

#include "systems/generator/conditioning.h"
#include "systems/generator/denoiser.h"
#include "systems/generator/looking/cross_attention_maps.h"
#include "systems/generator/schedulers/scheduler.h"

namespace keylens::generator {

// One picture to draw.
struct SampleJob {
  GuidedConditioning conditioning;
  double guidance = 3;
  uint64_t seed = 0;
  std::array<int64_t, 3> shape = {};  // channels, rows, columns
  std::unique_ptr<Scheduler> scheduler;
  CrossAttentionMaps* maps = nullptr;  // takes the prompt's attention, by step
};

// A picture on its way from noise. A step is one or two forward passes, which
// threads may run side by side, and then `Advance`; each pass is the work of
// one thread, so that neither the number of threads nor the company of other
// pictures changes a bit.
class Sampling {
 public:
  // `name` is what errors begin with.
  Sampling(const Denoiser& denoiser, SampleJob job, std::string name);

  int64_t steps() const;
  int64_t step() const { return step_; }
  bool done() const { return step_ == steps(); }

  // Of the step that is next: 1, or 2 where the picture is guided.
  int passes() const;
  // One of them.
  void Run(int pass);
  // Once all have run. Throws Error where the network gave what is no number.
  void Advance();

  // [1, channels, rows, columns]; the picture, once done.
  const torch::Tensor& x() const { return x_; }

 private:
  torch::Tensor Output() const;
  torch::Tensor StepNoise() const;

  const Denoiser& denoiser_;
  SampleJob job_;
  std::string name_;
  int64_t step_ = 0;
  torch::Tensor x_;
  std::array<torch::Tensor, 2> outputs_;  // of the prompt, and of its twin
};

// The noise that a seed stands for: [1, channels, rows, columns]. Stream 0 is
// what a drawing starts from, n + 1 what its step n takes.
torch::Tensor SeededNoise(uint64_t seed, uint64_t stream,
                          const std::array<int64_t, 3>& shape);

}  // namespace keylens::generator

#endif  // KEYLENS_SYSTEMS_GENERATOR_SAMPLER_H_
