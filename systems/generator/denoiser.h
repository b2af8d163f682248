#ifndef KEYLENS_SYSTEMS_GENERATOR_DENOISER_H_
#define KEYLENS_SYSTEMS_GENERATOR_DENOISER_H_

#include <keylens/nn/attention_recorder.h>
#include <torch/torch.h>

#include <array>
#include <cstdint>

#include "systems/generator/conditioning.h"

namespace keylens::generator {

// A network that says how to denoise; the sampler knows no more of it.
class Denoiser {
 public:
  virtual ~Denoiser() = default;

  // x [1, channels, rows, columns] at `time`, which is in the units of the
  // network's scheduler -> the same shape. Called by several threads at once.
  virtual torch::Tensor Predict(const torch::Tensor& x, double time,
                                const Conditioning& conditioning,
                                nn::AttentionRecorder* recorder) const = 0;

  // About how many bytes a call of that shape [channels, rows, columns] holds
  // at its worst, for refusing what no memory can.
  virtual double BytesOfPass(const std::array<int64_t, 3>& shape) const = 0;
};

}  // namespace keylens::generator

#endif  // KEYLENS_SYSTEMS_GENERATOR_DENOISER_H_
