#ifndef KEYLENS_SYSTEMS_GENERATOR_MODEL_UNET_DENOISER_H_
#define KEYLENS_SYSTEMS_GENERATOR_MODEL_UNET_DENOISER_H_

#include "src/models/keylens_unet/unet.h"
#include "systems/generator/sampler.h"

namespace keylens::generator {

// The U-Net as the sampler sees it.
class UNetDenoiser : public Denoiser {
 public:
  explicit UNetDenoiser(UNet unet) : unet_(std::move(unet)) {}

  torch::Tensor Predict(const torch::Tensor& x, double time,
                        const EncodedText& text,
                        nn::AttentionRecorder* recorder) override {
    return unet_->forward(x, torch::full({x.size(0)}, time), text, recorder);
  }

 private:
  UNet unet_;
};

}  // namespace keylens::generator

#endif  // KEYLENS_SYSTEMS_GENERATOR_MODEL_UNET_DENOISER_H_
