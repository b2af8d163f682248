// Euler's method over sigma = noise / signal (Karras, Aittala, Aila, Laine:
// Elucidating the design space of diffusion-based generative models, algorithm
// 1 without its noise), as diffusers' EulerDiscreteScheduler walks it. x is
// picture + sigma * noise here, and is scaled to the network's own mixture.

#include <algorithm>
#include <cmath>

#include "src/base/error.h"
#include "systems/generator/schedulers/noise_table.h"
#include "systems/generator/schedulers/scheduler_kinds.h"

namespace keylens::generator {
namespace {

// Linear interpolation in a table with rising `xs`; the ends hold beyond them.
double Interpolate(double x, const std::vector<double>& xs,
                   const std::vector<double>& ys) {
  const auto above = std::upper_bound(xs.begin(), xs.end(), x);
  if (above == xs.begin()) return ys.front();
  if (above == xs.end()) return ys.back();
  const auto i = static_cast<std::size_t>(above - xs.begin());
  return ys[i - 1] +
         (ys[i] - ys[i - 1]) * (x - xs[i - 1]) / (xs[i] - xs[i - 1]);
}

// Pure noise has no sigma; this stands for it, as in diffusers.
constexpr double kAlphaOfPureNoise = 0x1.0p-24;

std::vector<double> TrainingSigmas(const SchedulerOptions& options) {
  std::vector<double> sigmas;
  for (const double alpha : CumulativeAlphas(options)) {
    const double a = alpha > 0 ? alpha : kAlphaOfPureNoise;
    sigmas.push_back(std::sqrt((1 - a) / a));
  }
  return sigmas;
}

// Evenly spaced in sigma^(1/7) between the ends (Karras et al., equation 5).
void SpaceLikeKarras(std::vector<double>& sigmas) {
  constexpr double kRho = 7;
  const double high = std::pow(sigmas.front(), 1 / kRho);
  const double low = std::pow(sigmas.back(), 1 / kRho);
  const auto last = std::max<double>(1, static_cast<double>(sigmas.size()) - 1);
  for (std::size_t i = 0; i < sigmas.size(); ++i)
    sigmas[i] =
        std::pow(high + (low - high) * static_cast<double>(i) / last, kRho);
}

class Euler : public Scheduler {
 public:
  Euler(const SchedulerOptions& options, int64_t steps)
      : options_(options), spacing_(options.timestep_spacing.value_or(kUsual)) {
    const std::vector<double> all = TrainingSigmas(options);
    std::vector<double> places, logs;
    for (std::size_t i = 0; i < all.size(); ++i) {
      places.push_back(static_cast<double>(i));
      logs.push_back(std::log(all[i]));
    }
    timesteps_ = SpacedTimesteps(options, steps, kUsual);
    for (const double timestep : timesteps_)
      sigmas_.push_back(Interpolate(timestep, places, all));
    if (options.use_karras_sigmas) {
      SpaceLikeKarras(sigmas_);
      for (std::size_t i = 0; i < sigmas_.size(); ++i)
        timesteps_[i] = Interpolate(std::log(sigmas_[i]), logs, places);
    }
    sigmas_.push_back(0);
    for (double& timestep : timesteps_)
      timestep = NetworkTime(options, timestep);
  }

  const std::vector<double>& timesteps() const override { return timesteps_; }

  double initial_sigma() const override {
    const double largest = *std::max_element(sigmas_.begin(), sigmas_.end());
    return spacing_ == TimestepSpacing::kLeading
               ? std::sqrt(largest * largest + 1)
               : largest;
  }

  torch::Tensor ScaleInput(const torch::Tensor& x,
                           int64_t step) const override {
    const double sigma = SigmaOf(step);
    return x / std::sqrt(sigma * sigma + 1);
  }

  torch::Tensor Step(const torch::Tensor& x, const torch::Tensor& output,
                     int64_t step, const torch::Tensor&) override {
    const double sigma = SigmaOf(step), to = SigmaOf(step + 1);
    const torch::Tensor picture = PictureOf(x, output, sigma);
    return x + (to - sigma) * ((x - picture) / sigma);
  }

  torch::Tensor AddNoise(const torch::Tensor& picture,
                         const torch::Tensor& noise,
                         int64_t step) const override {
    return picture + SigmaOf(step) * noise;
  }

 private:
  static constexpr TimestepSpacing kUsual = TimestepSpacing::kLinspace;

  double SigmaOf(int64_t step) const {
    return sigmas_[static_cast<std::size_t>(step)];
  }

  torch::Tensor PictureOf(const torch::Tensor& x, const torch::Tensor& output,
                          double sigma) const {
    torch::Tensor picture;
    if (options_.prediction == PredictionType::kVelocity) {
      const double scale = sigma * sigma + 1;
      picture = x / scale - output * (sigma / std::sqrt(scale));
    } else if (options_.prediction == PredictionType::kSample) {
      picture = output;
    } else {
      picture = x - sigma * output;
    }
    // diffusers' Euler never clips; the networks trained here are of pixels.
    return options_.unit_time() ? Clipped(picture, options_, false) : picture;
  }

  SchedulerOptions options_;
  TimestepSpacing spacing_;
  std::vector<double> timesteps_;  // as the network is told
  std::vector<double> sigmas_;     // one more, 0
};

}  // namespace

std::unique_ptr<Scheduler> MakeEulerScheduler(const SchedulerOptions& options,
                                              int64_t steps) {
  if (options.prediction == PredictionType::kFlow)
    throw UsageError(
        "the scheduler euler cannot draw with a model of flow; take flow");
  return std::make_unique<Euler>(options, steps);
}

}  // namespace keylens::generator
