// DDIM (Song, Meng, Ermon: Denoising diffusion implicit models), as diffusers'
// DDIMScheduler walks it.

#include <cmath>

#include "src/base/error.h"
#include "systems/generator/schedulers/noise_table.h"
#include "systems/generator/schedulers/scheduler_kinds.h"

namespace keylens::generator {
namespace {

class Ddim : public Scheduler {
 public:
  Ddim(const SchedulerOptions& options, int64_t steps)
      : options_(options),
        alphas_(CumulativeAlphas(options)),
        places_(SpacedTimesteps(options, steps, TimestepSpacing::kLeading)),
        stride_(options.num_train_timesteps / steps) {
    for (double& place : places_) {
      place = std::nearbyint(place);
      timesteps_.push_back(NetworkTime(options, place));
    }
  }

  const std::vector<double>& timesteps() const override { return timesteps_; }
  bool NeedsNoise(int64_t) const override { return options_.eta > 0; }

  torch::Tensor Step(const torch::Tensor& x, const torch::Tensor& output,
                     int64_t step, const torch::Tensor& noise) override {
    const int64_t place = PlaceOf(step);
    const double alpha = AlphaAt(place), to = AlphaAt(place - stride_);
    const PictureAndNoise seen =
        Separate(options_.prediction, x, output, alpha);
    const torch::Tensor picture = Clipped(seen.picture, options_, true);
    const torch::Tensor kept =
        options_.use_clipped_model_output
            ? (x - std::sqrt(alpha) * picture) / std::sqrt(1 - alpha)
            : seen.noise;
    // Equation 16: how much of the noise is fresh.
    const double fresh =
        options_.eta * std::sqrt((1 - to) / (1 - alpha) * (1 - alpha / to));
    const torch::Tensor next =
        std::sqrt(to) * picture + std::sqrt(1 - to - fresh * fresh) * kept;
    return noise.defined() ? next + fresh * noise : next;
  }

  torch::Tensor AddNoise(const torch::Tensor& picture,
                         const torch::Tensor& noise,
                         int64_t step) const override {
    const double alpha = AlphaAt(PlaceOf(step));
    return std::sqrt(alpha) * picture + std::sqrt(1 - alpha) * noise;
  }

 private:
  int64_t PlaceOf(int64_t step) const {
    return static_cast<int64_t>(places_[static_cast<std::size_t>(step)]);
  }

  // Before the first training step there is no noise, or as little as there.
  double AlphaAt(int64_t place) const {
    if (place >= 0) return alphas_[static_cast<std::size_t>(place)];
    return options_.set_alpha_to_one ? 1 : alphas_.front();
  }

  SchedulerOptions options_;
  std::vector<double> alphas_;
  std::vector<double> places_;     // training steps
  std::vector<double> timesteps_;  // as the network is told
  int64_t stride_;                 // training steps that a step goes back
};

}  // namespace

std::unique_ptr<Scheduler> MakeDdimScheduler(const SchedulerOptions& options,
                                             int64_t steps) {
  if (options.prediction == PredictionType::kFlow)
    throw UsageError(
        "the scheduler ddim cannot draw with a model of flow; take flow");
  return std::make_unique<Ddim>(options, steps);
}

}  // namespace keylens::generator
