#ifndef KEYLENS_SYSTEMS_GENERATOR_CONDITIONING_H_
#define KEYLENS_SYSTEMS_GENERATOR_CONDITIONING_H_

#include <torch/torch.h>

#include <cstdint>
#include <optional>
#include <vector>

namespace keylens::generator {

// What a denoiser is told of a picture, by whatever reads prompts.
struct Conditioning {
  torch::Tensor tokens;  // [n, len, width]
  std::vector<int64_t>
      lengths;  // n: the mask; tokens from there on are padding
  std::optional<torch::Tensor> pooled;  // [n, width]: the prompt as one vector
  std::optional<torch::Tensor> sizes;  // [n, numbers]: size and crop, in pixels
};

// The prompt, and its twin that says nothing, or what to lead away from.
struct GuidedConditioning {
  Conditioning prompt;
  Conditioning unconditional;
};

}  // namespace keylens::generator

#endif  // KEYLENS_SYSTEMS_GENERATOR_CONDITIONING_H_
