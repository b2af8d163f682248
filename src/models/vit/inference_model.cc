#include "src/models/vit/inference_model.h"

#include <algorithm>

namespace keylens::classifier {
namespace {

int64_t PatchValues(const ClassifierConfig& config) {
  return config.num_channels * config.patch_size * config.patch_size;
}

int64_t TokensOf(const ClassifierConfig& config) {
  const int64_t side = PatchesPerSide(config);
  return 1 + side * side;
}

// A convolution whose steps are as long as its kernel is a linear layer of each
// patch.
nn::LinearSpec PatchLayer(const ClassifierConfig& config) {
  nn::LinearSpec layer{"patch_embeddings", PatchValues(config),
                       config.hidden_size};
  layer.shape = {config.hidden_size, config.num_channels, config.patch_size,
                 config.patch_size};
  return layer;
}

// The patches of one picture, row by row, each [channels, patch_size,
// patch_size].
void CutPatches(const ClassifierConfig& config, const float* picture,
                float* patches) {
  const int64_t size = config.image_size, patch = config.patch_size;
  for (int64_t top = 0; top < size; top += patch) {
    for (int64_t left = 0; left < size; left += patch) {
      for (int64_t line = 0; line < config.num_channels * patch; ++line) {
        const int64_t channel = line / patch, y = top + line % patch;
        const float* from = picture + (channel * size + y) * size + left;
        patches = std::copy(from, from + patch, patches);
      }
    }
  }
}

}  // namespace

InferenceModel::InferenceModel(const ClassifierConfig& config,
                               const WeightSource& weights)
    : config_(config),
      class_token_(
          nn::ReadWeight(weights, "cls_token", {1, 1, config.hidden_size})),
      positions_(nn::ReadWeight(weights, "position_embeddings",
                                {1, TokensOf(config), config.hidden_size})),
      patches_(weights, PatchLayer(config)),
      encoder_(weights, "encoder.", EncoderOptions(config)),
      classifier_(weights, {"classifier", config.hidden_size,
                            static_cast<int64_t>(config.labels.size())}) {}

int64_t InferenceModel::tokens() const { return TokensOf(config_); }

std::vector<float> InferenceModel::Embed(std::span<const float> pictures,
                                         int64_t n) const {
  const int64_t size = config_.hidden_size, count = tokens() - 1;
  const int64_t pixels =
      config_.num_channels * config_.image_size * config_.image_size;
  std::vector<float> patches(
      static_cast<std::size_t>(count * PatchValues(config_)));
  std::vector<float> x(static_cast<std::size_t>(n * tokens() * size));
  for (int64_t i = 0; i < n; ++i) {
    float* rows = x.data() + i * tokens() * size;
    CutPatches(config_, pictures.data() + i * pixels, patches.data());
    std::copy(class_token_.begin(), class_token_.end(), rows);
    patches_.Apply(patches.data(), count, rows + size);
    for (std::size_t c = 0; c < positions_.size(); ++c)
      rows[c] += positions_[c];
  }
  return x;
}

std::vector<float> InferenceModel::Logits(std::span<const float> pictures,
                                          int64_t n,
                                          nn::InferenceBuffers& buffers) const {
  std::vector<float> x = Embed(pictures, n);
  std::vector<int64_t> offsets;
  for (int64_t i = 0; i <= n; ++i) offsets.push_back(i * tokens());
  encoder_.Run(x.data(), offsets, buffers, kClassToken);
  std::vector<float> logits(static_cast<std::size_t>(n * classifier_.out()));
  classifier_.Apply(x.data(), n, logits.data());
  return logits;
}

std::vector<nn::AttentionWeights> InferenceModel::Weights(
    std::span<const float> picture, nn::InferenceBuffers& buffers) const {
  std::vector<float> x = Embed(picture, 1);
  return encoder_.RunWithWeights(x.data(), tokens(), buffers);
}

}  // namespace keylens::classifier
