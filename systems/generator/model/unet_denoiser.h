#ifndef KEYLENS_SYSTEMS_GENERATOR_MODEL_UNET_DENOISER_H_
#define KEYLENS_SYSTEMS_GENERATOR_MODEL_UNET_DENOISER_H_

#include <memory>

#include "src/models/keylens_unet/unet.h"
#include "systems/generator/denoiser.h"

namespace keylens::generator {

// The U-Net as the sampler sees it.
class UNetDenoiser : public Denoiser {
 public:
  UNetDenoiser(UNet unet, const UNetConfig& config)
      : unet_(unet.ptr()), config_(config) {}

  torch::Tensor Predict(const torch::Tensor& x, double time,
                        const Conditioning& conditioning,
                        nn::AttentionRecorder* recorder) const override;
  double BytesOfPass(const std::array<int64_t, 3>& shape) const override;

 private:
  std::shared_ptr<UNetImpl> unet_;
  UNetConfig config_;
};

}  // namespace keylens::generator

#endif  // KEYLENS_SYSTEMS_GENERATOR_MODEL_UNET_DENOISER_H_
