// The scheduler of docs/adding_a_scheduler.md.

#include "tests/generator/schedulers/renoising_scheduler.h"

#include "src/base/error.h"
#include "systems/generator/process.h"

namespace keylens::generator {
namespace {

class Renoising : public Scheduler {
 public:
  explicit Renoising(int64_t steps) : process_(Prediction::kVelocity) {
    for (int64_t step = 0; step < steps; ++step) {
      timesteps_.push_back(1 - static_cast<double>(step) /
                                   static_cast<double>(steps));
    }
  }

  const std::vector<double>& timesteps() const override { return timesteps_; }

  bool NeedsNoise(int64_t step) const override { return !IsLast(step); }

  torch::Tensor Step(const torch::Tensor& x, const torch::Tensor& output,
                     int64_t step, const torch::Tensor& noise) override {
    const torch::Tensor picture = process_.Picture(x, output, TimeOf(step));
    return IsLast(step) ? picture : AddNoise(picture, noise, step + 1);
  }

  torch::Tensor AddNoise(const torch::Tensor& picture,
                         const torch::Tensor& noise,
                         int64_t step) const override {
    return process_.Mix(picture, noise, torch::full({1}, TimeOf(step)));
  }

 private:
  double TimeOf(int64_t step) const {
    return timesteps_[static_cast<std::size_t>(step)];
  }
  bool IsLast(int64_t step) const {
    return step + 1 == static_cast<int64_t>(timesteps_.size());
  }

  NoiseProcess process_;
  std::vector<double> timesteps_;
};

std::unique_ptr<Scheduler> MakeRenoisingScheduler(
    const SchedulerOptions& options, int64_t steps) {
  if (options.prediction != PredictionType::kVelocity)
    throw UsageError("the scheduler renoising wants a model of v_prediction");
  return std::make_unique<Renoising>(steps);
}

}  // namespace

const SchedulerKind kRenoising = {"renoising", "RenoisingScheduler",
                                  std::nullopt, MakeRenoisingScheduler};

}  // namespace keylens::generator
