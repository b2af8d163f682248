#ifndef KEYLENS_SYSTEMS_GENERATOR_GUIDANCE_H_
#define KEYLENS_SYSTEMS_GENERATOR_GUIDANCE_H_

#include <torch/torch.h>

namespace keylens::generator {

// Classifier-free guidance (Ho, Salimans): 1 follows the prompt as it was
// learnt, more exaggerates its difference from the unconditional twin.

// Whether the unconditional output matters at all.
bool NeedsUnconditional(double guidance);

// The prompt's output, led away from the unconditional one.
torch::Tensor Guided(const torch::Tensor& prompt,
                     const torch::Tensor& unconditional, double guidance);

}  // namespace keylens::generator

#endif  // KEYLENS_SYSTEMS_GENERATOR_GUIDANCE_H_
