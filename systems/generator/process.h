#ifndef KEYLENS_SYSTEMS_GENERATOR_PROCESS_H_
#define KEYLENS_SYSTEMS_GENERATOR_PROCESS_H_

#include <torch/torch.h>

#include "src/models/keylens_unet/config.h"

namespace keylens::generator {

// How a picture turns into noise while time goes from 0 to 1, and back:
// x_t = alpha(t) x_0 + sigma(t) noise.
//   kVelocity  alpha = cos(pi t / 2), sigma = sin(pi t / 2); the network
//              predicts v = alpha noise - sigma x_0 (Salimans, Ho: Progressive
//              distillation, appendix D)
//   kFlow      alpha = 1 - t, sigma = t; v = noise - x_0 (Liu, Gong, Liu: Flow
//              straight and fast)
class NoiseProcess {
 public:
  explicit NoiseProcess(Prediction prediction) : prediction_(prediction) {}

  // `time` is [n]; pictures and noise are [n, c, h, w].
  torch::Tensor Mix(const torch::Tensor& picture, const torch::Tensor& noise,
                    const torch::Tensor& time) const;
  torch::Tensor Target(const torch::Tensor& picture, const torch::Tensor& noise,
                       const torch::Tensor& time) const;

  // When alpha / sigma has that value, at least 0.
  double TimeOf(double signal_to_noise) const;

  // The picture that an output stands for, at one time for all.
  torch::Tensor Picture(const torch::Tensor& x, const torch::Tensor& output,
                        double time) const;

  // x at time `to`, when its picture is believed to be `picture` (the
  // deterministic step of DDIM; Song, Meng, Ermon, equation 12).
  torch::Tensor Step(const torch::Tensor& x, const torch::Tensor& picture,
                     double time, double to) const;

 private:
  double Alpha(double time) const;
  double Sigma(double time) const;

  Prediction prediction_;
};

}  // namespace keylens::generator

#endif  // KEYLENS_SYSTEMS_GENERATOR_PROCESS_H_
