#ifndef KEYLENS_SRC_MODELS_VIT_CONFIG_H_
#define KEYLENS_SRC_MODELS_VIT_CONFIG_H_

#include <keylens/nn/block_options.h>

#include <cstdint>
#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "src/image/framing.h"

namespace keylens::classifier {

// A Vision Transformer and how pictures are brought before it. File:
// config.json; sizes have the names that ViT models have on Hugging Face.
struct ClassifierConfig {
  int64_t image_size = 32;  // pixels along each side
  int64_t patch_size = 4;
  int64_t num_channels = 1;  // 1 grey, 3 RGB
  int64_t hidden_size = 48;
  int64_t num_hidden_layers = 4;
  int64_t num_attention_heads = 4;
  int64_t intermediate_size = 192;  // within the feed-forward branches

  int64_t content_size = 32;  // see Framing
  Ground ground = Ground::kAny;
  // The network sees (value / 255 - mean) / deviation.
  double image_mean = 0.5;
  double image_std = 0.5;

  // 2: a picture's mirror image is looked at as well, and the probabilities
  // averaged; for a network that learnt from both.
  int64_t num_views = 1;

  std::vector<std::string> labels;  // the name of each class
};

// The row of the class token, all that is read of the last layer.
inline constexpr nn::RowRange kClassToken = {0, 1};

inline int64_t PatchesPerSide(const ClassifierConfig& config) {
  return config.image_size / config.patch_size;
}

// The layers.
nn::BlockOptions EncoderOptions(const ClassifierConfig& config);

Framing FramingOf(const ClassifierConfig& config);

nlohmann::json ToJson(const ClassifierConfig& config);

// Throws Error, naming the file and the entry, where one is missing, of another
// type, or outside what a model can have.
ClassifierConfig ReadClassifierConfig(const std::filesystem::path& path);

}  // namespace keylens::classifier

#endif  // KEYLENS_SRC_MODELS_VIT_CONFIG_H_
