#include "systems/generator/schedulers/process_scheduler.h"

#include "systems/generator/schedulers/noise_table.h"

namespace keylens::generator {

ProcessScheduler::ProcessScheduler(Prediction prediction,
                                   const SchedulerOptions& options,
                                   int64_t steps)
    : process_(prediction), options_(options) {
  for (int64_t step = 0; step < steps; ++step) {
    timesteps_.push_back(1 - static_cast<double>(step) /
                                 static_cast<double>(steps));
  }
}

torch::Tensor ProcessScheduler::Step(const torch::Tensor& x,
                                     const torch::Tensor& output, int64_t step,
                                     const torch::Tensor& noise) {
  (void)noise;
  const auto next = static_cast<std::size_t>(step) + 1;
  const double time = timesteps_[next - 1];
  const double to = next < timesteps_.size() ? timesteps_[next] : 0;
  const torch::Tensor picture =
      Clipped(process_.Picture(x, output, time), options_, /*usual=*/true);
  return process_.Step(x, picture, time, to);
}

torch::Tensor ProcessScheduler::AddNoise(const torch::Tensor& picture,
                                         const torch::Tensor& noise,
                                         int64_t step) const {
  const double time = timesteps_[static_cast<std::size_t>(step)];
  return process_.Mix(picture, noise,
                      torch::full({picture.size(0)}, time, torch::kFloat));
}

}  // namespace keylens::generator
