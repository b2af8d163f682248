#ifndef KEYLENS_SYSTEMS_GENERATOR_MODEL_MODEL_H_
#define KEYLENS_SYSTEMS_GENERATOR_MODEL_MODEL_H_

#include <torch/torch.h>

#include "systems/generator/model/config.h"
#include "systems/generator/model/text_encoder.h"
#include "systems/generator/model/unet.h"

namespace keylens::generator {

// The two networks that are trained together. Parameters: below `text_encoder`
// and `unet`, convolution weights channels_last.
class GeneratorModelImpl : public torch::nn::Module {
 public:
  explicit GeneratorModelImpl(const GeneratorConfig& config);

  const GeneratorConfig& config() const { return config_; }

  TextEncoder text_encoder = nullptr;
  UNet unet = nullptr;

 private:
  GeneratorConfig config_;
};
TORCH_MODULE(GeneratorModel);

}  // namespace keylens::generator

#endif  // KEYLENS_SYSTEMS_GENERATOR_MODEL_MODEL_H_
