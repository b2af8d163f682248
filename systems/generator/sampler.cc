#include "systems/generator/sampler.h"

#include <atomic>

#include "src/random/random.h"

namespace keylens::generator {
namespace {

// One forward pass of one step.
struct Forward {
  const SampleJob* job;
  const torch::Tensor* x;
  bool negative;
  torch::Tensor output;
};

std::vector<Forward> ForwardsOf(std::span<const SampleJob> jobs,
                                const std::vector<torch::Tensor>& x,
                                bool guided) {
  std::vector<Forward> forwards;
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    forwards.push_back({&jobs[i], &x[i], false, {}});
    if (guided) forwards.push_back({&jobs[i], &x[i], true, {}});
  }
  return forwards;
}

void RunForwards(Denoiser& denoiser, double time,
                 std::vector<Forward>& forwards, train::Workers& workers) {
  std::atomic<std::size_t> next = 0;
  workers.Run([&](int) {
    const torch::NoGradGuard no_grad;
    for (std::size_t i = next++; i < forwards.size(); i = next++) {
      Forward& forward = forwards[i];
      forward.output = denoiser.Predict(
          *forward.x, time,
          forward.negative ? forward.job->negative : forward.job->text,
          forward.negative ? nullptr : forward.job->maps);
    }
  });
}

// The prompt's output, led away from the negative prompt's.
torch::Tensor Guided(const std::vector<Forward>& forwards, std::size_t job,
                     double guidance, bool guided) {
  if (!guided) return forwards[job].output;
  const torch::Tensor& prompt = forwards[2 * job].output;
  const torch::Tensor& negative = forwards[2 * job + 1].output;
  return negative + guidance * (prompt - negative);
}

}  // namespace

std::vector<torch::Tensor> DrawSamples(Denoiser& denoiser,
                                       const NoiseProcess& process,
                                       std::span<const SampleJob> jobs,
                                       const SamplerOptions& options,
                                       train::Workers& workers,
                                       const StepObserver& observer) {
  const torch::NoGradGuard no_grad;
  const bool guided = options.guidance != 1;
  std::vector<torch::Tensor> x;
  for (const SampleJob& job : jobs) x.push_back(job.noise);
  for (int64_t step = 0; step < options.steps; ++step) {
    const auto steps = static_cast<double>(options.steps);
    const double time = 1 - static_cast<double>(step) / steps;
    const double to = 1 - static_cast<double>(step + 1) / steps;
    for (const SampleJob& job : jobs) {
      if (job.maps != nullptr) job.maps->set_step(step);
    }
    std::vector<Forward> forwards = ForwardsOf(jobs, x, guided);
    RunForwards(denoiser, time, forwards, workers);
    for (std::size_t i = 0; i < jobs.size(); ++i) {
      const torch::Tensor output =
          Guided(forwards, i, options.guidance, guided);
      const torch::Tensor picture =
          process.Picture(x[i], output, time).clamp(-1, 1);
      x[i] = process.Step(x[i], picture, time, to);
    }
    if (observer) observer(step + 1);
  }
  return x;
}

torch::Tensor SeededNoise(uint64_t seed, int64_t channels, int64_t height,
                          int64_t width) {
  torch::Tensor noise = torch::empty({1, channels, height, width});
  Random random({seed, 0});
  random.FillNormal(
      {noise.data_ptr<float>(), static_cast<std::size_t>(noise.numel())});
  return noise;
}

}  // namespace keylens::generator
