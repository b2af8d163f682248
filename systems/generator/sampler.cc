#include "systems/generator/sampler.h"

#include <fmt/format.h>

#include <utility>

#include "src/base/error.h"
#include "src/random/random.h"
#include "systems/generator/guidance.h"

namespace keylens::generator {

Sampling::Sampling(const Denoiser& denoiser, SampleJob job, std::string name)
    : denoiser_(denoiser), job_(std::move(job)), name_(std::move(name)) {
  const torch::NoGradGuard no_grad;
  x_ = SeededNoise(job_.seed, 0, job_.shape);
  const double sigma = job_.scheduler->initial_sigma();
  if (sigma != 1) x_ = x_ * sigma;
}

int64_t Sampling::steps() const {
  return static_cast<int64_t>(job_.scheduler->timesteps().size());
}

int Sampling::passes() const {
  return NeedsUnconditional(job_.guidance) ? 2 : 1;
}

void Sampling::Run(int pass) {
  const torch::NoGradGuard no_grad;
  const bool of_prompt = pass == 0;
  nn::AttentionRecorder* recorder = of_prompt ? job_.maps : nullptr;
  if (recorder != nullptr) job_.maps->set_step(step_);
  outputs_[pass] = denoiser_.Predict(
      job_.scheduler->ScaleInput(x_, step_),
      job_.scheduler->timesteps()[static_cast<std::size_t>(step_)],
      of_prompt ? job_.conditioning.prompt : job_.conditioning.unconditional,
      recorder);
}

void Sampling::Advance() {
  const torch::NoGradGuard no_grad;
  x_ = job_.scheduler->Step(x_, Output(), step_, StepNoise());
  ++step_;
}

torch::Tensor Sampling::Output() const {
  const torch::Tensor output =
      passes() == 1 ? outputs_[0]
                    : Guided(outputs_[0], outputs_[1], job_.guidance);
  if (!torch::isfinite(output).all().item<bool>()) {
    throw Error(
        fmt::format("{}: the network gives values that are no numbers, in step "
                    "{} of {}: its weights are damaged, or training diverged",
                    name_, step_ + 1, steps()));
  }
  return output;
}

torch::Tensor Sampling::StepNoise() const {
  if (!job_.scheduler->NeedsNoise(step_)) return {};
  return SeededNoise(job_.seed, static_cast<uint64_t>(step_) + 1, job_.shape);
}

torch::Tensor SeededNoise(uint64_t seed, uint64_t stream,
                          const std::array<int64_t, 3>& shape) {
  torch::Tensor noise = torch::empty({1, shape[0], shape[1], shape[2]});
  Random random({seed, stream});
  random.FillNormal(
      {noise.data_ptr<float>(), static_cast<std::size_t>(noise.numel())});
  return noise;
}

}  // namespace keylens::generator
