#ifndef KEYLENS_SRC_MODELS_KEYLENS_UNET_MODEL_H_
#define KEYLENS_SRC_MODELS_KEYLENS_UNET_MODEL_H_

#include <torch/torch.h>

#include "src/models/keylens_unet/config.h"
#include "src/models/keylens_unet/text_encoder.h"
#include "src/models/keylens_unet/unet.h"

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

#endif  // KEYLENS_SRC_MODELS_KEYLENS_UNET_MODEL_H_
