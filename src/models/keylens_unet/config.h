#ifndef KEYLENS_SRC_MODELS_KEYLENS_UNET_CONFIG_H_
#define KEYLENS_SRC_MODELS_KEYLENS_UNET_CONFIG_H_

#include <cstdint>
#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace keylens::generator {

// The Transformer that reads the prompt. File: text_encoder/config.json.
struct TextEncoderConfig {
  int64_t vocab_size = 2000;
  int64_t max_tokens = 32;  // start and end token included
  int64_t hidden_size = 128;
  int64_t num_layers = 3;
  int64_t num_heads = 4;
};

// The denoising U-Net. File: unet/config.json.
struct UNetConfig {
  int64_t sample_size = 64;  // pixels along each side
  int64_t channels = 4;      // RGBA
  int64_t patch =
      2;  // pixels along each side that the stem folds into channels
  // For each level, from the finest; every level halves the map.
  std::vector<int64_t> block_channels = {48, 96, 160};
  std::vector<int64_t> blocks = {1, 2, 2};  // residual blocks
  std::vector<bool> attention = {false, true, true};
  int64_t num_heads = 4;
  int64_t head_dim = 32;
  int64_t condition_size = 256;  // of the vector of time and text
  // The pooled text is multiplied by this before the time embedding is added:
  // its part that differs from prompt to prompt is to weigh more than the time.
  double text_gain = 5;
  int64_t norm_groups = 8;
  int64_t context_size = 128;  // of the text encoder's output
};

// What the network's output means; see process.h.
enum class Prediction { kVelocity, kFlow };

// File: scheduler/scheduler_config.json.
struct SchedulerConfig {
  Prediction prediction = Prediction::kVelocity;
};

struct GeneratorConfig {
  TextEncoderConfig text;
  UNetConfig unet;
  SchedulerConfig scheduler;
};

nlohmann::json ToJson(const TextEncoderConfig& config);
nlohmann::json ToJson(const UNetConfig& config);
nlohmann::json ToJson(const SchedulerConfig& config);

// Read a config.json. Throw Error, naming the file and the entry, where one is
// missing, of another type, or outside what a model can have.
TextEncoderConfig ReadTextEncoderConfig(const std::filesystem::path& path);
UNetConfig ReadUNetConfig(const std::filesystem::path& path);
SchedulerConfig ReadSchedulerConfig(const std::filesystem::path& path);

// Width and height of a picture must be a multiple of this many pixels.
int64_t SizeMultiple(const UNetConfig& config);

}  // namespace keylens::generator

#endif  // KEYLENS_SRC_MODELS_KEYLENS_UNET_CONFIG_H_
