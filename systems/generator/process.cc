#include "systems/generator/process.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

namespace keylens::generator {
namespace {

constexpr double kQuarterTurn = std::numbers::pi / 2;

// alpha and sigma at each of `time` [n], as [n, 1, 1, 1].
std::pair<torch::Tensor, torch::Tensor> Levels(Prediction prediction,
                                               const torch::Tensor& time) {
  const torch::Tensor t = time.view({-1, 1, 1, 1});
  if (prediction == Prediction::kFlow) return {1 - t, t};
  return {torch::cos(t * kQuarterTurn), torch::sin(t * kQuarterTurn)};
}

}  // namespace

torch::Tensor NoiseProcess::Mix(const torch::Tensor& picture,
                                const torch::Tensor& noise,
                                const torch::Tensor& time) const {
  const auto [alpha, sigma] = Levels(prediction_, time);
  return alpha * picture + sigma * noise;
}

torch::Tensor NoiseProcess::Target(const torch::Tensor& picture,
                                   const torch::Tensor& noise,
                                   const torch::Tensor& time) const {
  if (prediction_ == Prediction::kFlow) return noise - picture;
  const auto [alpha, sigma] = Levels(prediction_, time);
  return alpha * noise - sigma * picture;
}

double NoiseProcess::TimeOf(double signal_to_noise) const {
  if (prediction_ == Prediction::kFlow) return 1 / (1 + signal_to_noise);
  return std::atan2(1, signal_to_noise) / kQuarterTurn;
}

torch::Tensor NoiseProcess::Picture(const torch::Tensor& x,
                                    const torch::Tensor& output,
                                    double time) const {
  if (prediction_ == Prediction::kFlow) return x - time * output;
  return Alpha(time) * x - Sigma(time) * output;
}

torch::Tensor NoiseProcess::Step(const torch::Tensor& x,
                                 const torch::Tensor& picture, double time,
                                 double to) const {
  const torch::Tensor noise = (x - Alpha(time) * picture) / Sigma(time);
  return Alpha(to) * picture + Sigma(to) * noise;
}

double NoiseProcess::Alpha(double time) const {
  return prediction_ == Prediction::kFlow ? 1 - time
                                          : std::cos(kQuarterTurn * time);
}

double NoiseProcess::Sigma(double time) const {
  return prediction_ == Prediction::kFlow ? time
                                          : std::sin(kQuarterTurn * time);
}

}  // namespace keylens::generator
