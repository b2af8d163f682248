#ifndef KEYLENS_SYSTEMS_GENERATOR_SAMPLER_H_
#define KEYLENS_SYSTEMS_GENERATOR_SAMPLER_H_

#include <keylens/nn/attention_recorder.h>
#include <torch/torch.h>

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "src/models/keylens_unet/text_encoder.h"
#include "src/train/workers.h"
#include "systems/generator/process.h"

namespace keylens::generator {

// A network that says how to denoise; the sampler knows no more of it.
class Denoiser {
 public:
  virtual ~Denoiser() = default;

  // x [1, channels, height, width] at `time` -> the same shape. Called by
  // several threads at once.
  virtual torch::Tensor Predict(const torch::Tensor& x, double time,
                                const EncodedText& text,
                                nn::AttentionRecorder* recorder) = 0;
};

struct SamplerOptions {
  int64_t steps = 30;
  // Classifier-free guidance (Ho, Salimans): 1 follows the prompt as it was
  // learnt, more exaggerates its difference from the negative prompt.
  double guidance = 3;
};

// One picture to draw.
struct SampleJob {
  EncodedText text;      // the prompt, a batch of one
  EncodedText negative;  // what to lead away from; the empty prompt, most often
  torch::Tensor noise;   // [1, channels, height, width]
  nn::AttentionMaps* maps = nullptr;  // takes the prompt's attention, by step
};

// Called after each step with the number of steps done.
using StepObserver = std::function<void(int64_t)>;

// Draws the pictures side by side, and returns them in the network's colours,
// [1, channels, height, width] each. Every forward pass is one task of one
// thread, so that neither the number of workers nor the company of other
// pictures changes a bit.
std::vector<torch::Tensor> DrawSamples(Denoiser& denoiser,
                                       const NoiseProcess& process,
                                       std::span<const SampleJob> jobs,
                                       const SamplerOptions& options,
                                       train::Workers& workers,
                                       const StepObserver& observer = {});

// The noise that a seed stands for: [1, channels, height, width].
torch::Tensor SeededNoise(uint64_t seed, int64_t channels, int64_t height,
                          int64_t width);

}  // namespace keylens::generator

#endif  // KEYLENS_SYSTEMS_GENERATOR_SAMPLER_H_
