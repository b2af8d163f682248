#include "systems/generator/model/unet_denoiser.h"

namespace keylens::generator {

torch::Tensor UNetDenoiser::Predict(const torch::Tensor& x, double time,
                                    const Conditioning& conditioning,
                                    nn::AttentionRecorder* recorder) const {
  const EncodedText text = {conditioning.tokens, conditioning.pooled.value(),
                            conditioning.lengths};
  return unet_->forward(x, torch::full({x.size(0)}, time), text, recorder);
}

// So many maps of the finest level, where they are largest: those that the way
// up takes from the way down, those that it works on, what its convolutions
// unfold. Measured by the peak of memory: 11 for 256 x 256 pixels, 14 for 512 x
// 512, 17 for 1024 x 1024.
double UNetDenoiser::BytesOfPass(const std::array<int64_t, 3>& shape) const {
  constexpr double kMaps = 16;
  const double positions = static_cast<double>(shape[1]) *
                           static_cast<double>(shape[2]) /
                           static_cast<double>(config_.patch * config_.patch);
  return kMaps * positions *
         static_cast<double>(config_.block_channels.front()) * sizeof(float);
}

}  // namespace keylens::generator
