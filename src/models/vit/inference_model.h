#ifndef KEYLENS_SRC_MODELS_VIT_INFERENCE_MODEL_H_
#define KEYLENS_SRC_MODELS_VIT_INFERENCE_MODEL_H_

#include <cstdint>
#include <span>
#include <vector>

#include "src/models/vit/config.h"
#include "src/nn/inference/encoder.h"
#include "src/nn/inference/packed_layers.h"
#include "src/weights/weight_source.h"

namespace keylens::classifier {

// A classifier that only runs forward, without torch: the weights of a
// ClassifierModel, packed once. Const calls may go on in several threads at
// once, each with buffers of its own.
class InferenceModel {
 public:
  // Throws Error, naming file and tensor, where a weight is missing, of another
  // shape than the config says, or not finite.
  InferenceModel(const ClassifierConfig& config, const WeightSource& weights);

  // pictures [n, channels, image_size, image_size], normalised -> logits [n,
  // classes]. The last layer is run for the class token alone.
  std::vector<float> Logits(std::span<const float> pictures, int64_t n,
                            nn::InferenceBuffers& buffers) const;

  // What every layer looked at in one picture: [heads, tokens, tokens] each.
  std::vector<nn::AttentionWeights> Weights(
      std::span<const float> picture, nn::InferenceBuffers& buffers) const;

  const ClassifierConfig& config() const { return config_; }

 private:
  int64_t tokens() const;
  // The tokens of n pictures, end to end, as the first layer takes them.
  std::vector<float> Embed(std::span<const float> pictures, int64_t n) const;

  ClassifierConfig config_;
  std::vector<float> class_token_;  // [hidden_size]
  std::vector<float> positions_;    // [tokens, hidden_size]
  nn::PackedLinear patches_;        // of [channels, patch_size, patch_size]
  nn::EncoderInference encoder_;
  nn::PackedLinear classifier_;
};

}  // namespace keylens::classifier

#endif  // KEYLENS_SRC_MODELS_VIT_INFERENCE_MODEL_H_
