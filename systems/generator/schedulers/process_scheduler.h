#ifndef KEYLENS_SYSTEMS_GENERATOR_SCHEDULERS_PROCESS_SCHEDULER_H_
#define KEYLENS_SYSTEMS_GENERATOR_SCHEDULERS_PROCESS_SCHEDULER_H_

#include <vector>

#include "systems/generator/process.h"
#include "systems/generator/schedulers/scheduler.h"
#include "systems/generator/schedulers/scheduler_options.h"

namespace keylens::generator {

// Walks a noise process back in equal steps of its time, from 1 to 0: at each,
// the picture that the network sees, and the noise that then must be there
// (DDIM's deterministic step; Song, Meng, Ermon, equation 12, with the noise of
// the clipped picture).
class ProcessScheduler : public Scheduler {
 public:
  ProcessScheduler(Prediction prediction, const SchedulerOptions& options,
                   int64_t steps);

  const std::vector<double>& timesteps() const override { return timesteps_; }
  torch::Tensor Step(const torch::Tensor& x, const torch::Tensor& output,
                     int64_t step, const torch::Tensor& noise) override;
  torch::Tensor AddNoise(const torch::Tensor& picture,
                         const torch::Tensor& noise,
                         int64_t step) const override;

 private:
  NoiseProcess process_;
  SchedulerOptions options_;
  std::vector<double> timesteps_;
};

}  // namespace keylens::generator

#endif  // KEYLENS_SYSTEMS_GENERATOR_SCHEDULERS_PROCESS_SCHEDULER_H_
