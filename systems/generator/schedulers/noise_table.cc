#include "systems/generator/schedulers/noise_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>

#include "src/base/error.h"

namespace keylens::generator {
namespace {

constexpr double kQuarterTurn = std::numbers::pi / 2;

// i of `count` values from `first` to `last`, both included.
double Linspace(double first, double last, int64_t i, int64_t count) {
  if (count == 1) return first;
  return first + (last - first) * static_cast<double>(i) /
                     static_cast<double>(count - 1);
}

double Square(double x) { return x * x; }

// Nichol, Dhariwal: Improved denoising diffusion probabilistic models, 3.2.
double SquaredCosineBeta(int64_t i, int64_t count) {
  const auto alpha = [&](int64_t at) {
    const double time = static_cast<double>(at) / static_cast<double>(count);
    return Square(std::cos((time + 0.008) / 1.008 * kQuarterTurn));
  };
  return std::min(1 - alpha(i + 1) / alpha(i), 0.999);
}

double BetaOf(const SchedulerOptions& options, int64_t i) {
  const int64_t count = options.num_train_timesteps;
  if (!options.trained_betas.empty())
    return options.trained_betas[static_cast<std::size_t>(i)];
  if (options.beta_schedule == BetaSchedule::kSquaredCosine)
    return SquaredCosineBeta(i, count);
  if (options.beta_schedule == BetaSchedule::kScaledLinear)
    return Square(Linspace(std::sqrt(options.beta_start),
                           std::sqrt(options.beta_end), i, count));
  return Linspace(options.beta_start, options.beta_end, i, count);
}

// Lin, Liu, Li, Yang: Common diffusion noise schedules and sample steps are
// flawed, algorithm 1: shifted and scaled so that the last is 0 and the first
// stays.
void RescaleToZeroSnr(std::vector<double>& alphas) {
  const double first = std::sqrt(alphas.front());
  const double last = std::sqrt(alphas.back());
  if (alphas.size() < 2 || first == last) return;
  for (double& alpha : alphas)
    alpha = Square((std::sqrt(alpha) - last) * first / (first - last));
}

std::vector<double> CosineAlphas(int64_t count) {
  std::vector<double> alphas;
  for (int64_t i = 0; i < count; ++i) {
    const double time = static_cast<double>(i + 1) / static_cast<double>(count);
    alphas.push_back(Square(std::cos(kQuarterTurn * time)));
  }
  alphas.back() = 0;
  return alphas;
}

// Rounds as numpy does, to even.
double SpacedTimestep(TimestepSpacing spacing, int64_t i, int64_t steps,
                      const SchedulerOptions& options) {
  const int64_t all = options.num_train_timesteps;
  switch (spacing) {
    case TimestepSpacing::kLeading:
      return static_cast<double>((steps - 1 - i) * (all / steps) +
                                 options.steps_offset);
    case TimestepSpacing::kTrailing:
      return std::nearbyint(static_cast<double>(all) -
                            static_cast<double>(i) * static_cast<double>(all) /
                                static_cast<double>(steps)) -
             1;
    case TimestepSpacing::kLinspace:
      return Linspace(0, static_cast<double>(all - 1), steps - 1 - i, steps);
  }
  throw std::logic_error("SpacedTimestep: no such spacing");
}

}  // namespace

std::vector<double> CumulativeAlphas(const SchedulerOptions& options) {
  if (options.unit_time()) return CosineAlphas(options.num_train_timesteps);
  std::vector<double> alphas;
  double product = 1;
  for (int64_t i = 0; i < options.num_train_timesteps; ++i)
    alphas.push_back(product *= 1 - BetaOf(options, i));
  if (options.rescale_betas_zero_snr) RescaleToZeroSnr(alphas);
  return alphas;
}

std::vector<double> SpacedTimesteps(const SchedulerOptions& options,
                                    int64_t steps, TimestepSpacing usual) {
  if (steps > options.num_train_timesteps) {
    throw UsageError(
        fmt::format("{} steps: the model was taught {}, and this scheduler "
                    "takes no more",
                    steps, options.num_train_timesteps));
  }
  const TimestepSpacing spacing = options.timestep_spacing.value_or(usual);
  std::vector<double> timesteps;
  for (int64_t i = 0; i < steps; ++i)
    timesteps.push_back(SpacedTimestep(spacing, i, steps, options));
  if (timesteps.front() >= static_cast<double>(options.num_train_timesteps)) {
    throw UsageError(fmt::format(
        "{} steps: with the model's steps_offset of {} the first lies behind "
        "the {} that it was taught; take fewer",
        steps, options.steps_offset, options.num_train_timesteps));
  }
  return timesteps;
}

double NetworkTime(const SchedulerOptions& options, double timestep) {
  if (!options.unit_time()) return timestep;
  return (timestep + 1) / static_cast<double>(options.num_train_timesteps);
}

PictureAndNoise Separate(PredictionType prediction, const torch::Tensor& x,
                         const torch::Tensor& output, double alpha) {
  const double signal = std::sqrt(alpha), noise = std::sqrt(1 - alpha);
  switch (prediction) {
    case PredictionType::kEpsilon:
      return {(x - noise * output) / signal, output};
    case PredictionType::kVelocity:
      return {signal * x - noise * output, signal * output + noise * x};
    case PredictionType::kSample:
      return {output, (x - signal * output) / noise};
    case PredictionType::kFlow:
      break;
  }
  throw std::logic_error("Separate: not of a table of noise");
}

torch::Tensor Clipped(const torch::Tensor& picture,
                      const SchedulerOptions& options, bool usual) {
  if (!options.clip_sample.value_or(usual)) return picture;
  return picture.clamp(-options.clip_sample_range, options.clip_sample_range);
}

}  // namespace keylens::generator
