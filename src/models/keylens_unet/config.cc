#include "src/models/keylens_unet/config.h"

#include <fmt/format.h>

#include <cstddef>
#include <nlohmann/json.hpp>

#include "src/checkpoint/config_reader.h"

namespace keylens::generator {
namespace {

using Json = nlohmann::json;

constexpr int64_t kMaxWidth = 4096;  // of any layer
constexpr std::size_t kMaxLevels = 6;

constexpr const char* kVelocityName = "v_prediction";
constexpr const char* kFlowName = "flow";

void CheckLevels(const ConfigReader& reader, const UNetConfig& config) {
  const std::size_t levels = config.block_channels.size();
  if (config.blocks.size() != levels || config.attention.size() != levels) {
    reader.Fail("block_channels",
                "as long as blocks and attention, one entry a level");
  }
  for (const int64_t channels : config.block_channels) {
    if (channels % config.norm_groups != 0) {
      reader.Fail("block_channels", "multiples of norm_groups");
    }
  }
  if (config.sample_size % SizeMultiple(config) != 0) {
    reader.Fail("sample_size",
                fmt::format("a multiple of {}", SizeMultiple(config)));
  }
}

}  // namespace

Json ToJson(const TextEncoderConfig& config) {
  return {{"_class_name", "KeylensTextEncoder"},
          {"vocab_size", config.vocab_size},
          {"max_tokens", config.max_tokens},
          {"hidden_size", config.hidden_size},
          {"num_layers", config.num_layers},
          {"num_heads", config.num_heads}};
}

Json ToJson(const UNetConfig& config) {
  return {{"_class_name", "KeylensUNet"},
          {"sample_size", config.sample_size},
          {"channels", config.channels},
          {"patch", config.patch},
          {"block_channels", config.block_channels},
          {"blocks", config.blocks},
          {"attention", config.attention},
          {"num_heads", config.num_heads},
          {"head_dim", config.head_dim},
          {"condition_size", config.condition_size},
          {"text_gain", config.text_gain},
          {"norm_groups", config.norm_groups},
          {"context_size", config.context_size}};
}

Json ToJson(const SchedulerConfig& config) {
  const bool velocity = config.prediction == Prediction::kVelocity;
  return {{"_class_name", "KeylensScheduler"},
          {"prediction_type", velocity ? kVelocityName : kFlowName}};
}

TextEncoderConfig ReadTextEncoderConfig(const std::filesystem::path& path) {
  const ConfigReader reader(path);
  TextEncoderConfig config;
  reader.Read("vocab_size", 8, 1 << 20, config.vocab_size);
  reader.Read("max_tokens", 3, 4096, config.max_tokens);
  reader.Read("hidden_size", 1, kMaxWidth, config.hidden_size);
  reader.Read("num_layers", 1, 64, config.num_layers);
  reader.Read("num_heads", 1, 256, config.num_heads);
  if (config.hidden_size % config.num_heads != 0) {
    reader.Fail("hidden_size", "a multiple of num_heads");
  }
  return config;
}

UNetConfig ReadUNetConfig(const std::filesystem::path& path) {
  const ConfigReader reader(path);
  UNetConfig config;
  reader.Read("sample_size", 8, 1024, config.sample_size);
  reader.Read("channels", 1, kMaxWidth, config.channels);
  reader.Read("patch", 1, 16, config.patch);
  reader.Read("norm_groups", 1, 256, config.norm_groups);
  reader.Read("block_channels", 1, kMaxWidth, kMaxLevels,
              config.block_channels);
  reader.Read("blocks", 1, 16, kMaxLevels, config.blocks);
  reader.Read("attention", kMaxLevels, config.attention);
  reader.Read("num_heads", 1, 256, config.num_heads);
  reader.Read("head_dim", 1, 256, config.head_dim);
  reader.Read("condition_size", 1, kMaxWidth, config.condition_size);
  reader.Read("context_size", 1, kMaxWidth, config.context_size);
  reader.Read("text_gain", 0.0, 1000.0, config.text_gain);
  CheckLevels(reader, config);
  return config;
}

SchedulerConfig ReadSchedulerConfig(const std::filesystem::path& path) {
  const ConfigReader reader(path);
  const std::string name = reader.Text("prediction_type");
  if (name == kVelocityName) return {Prediction::kVelocity};
  if (name == kFlowName) return {Prediction::kFlow};
  reader.Fail("prediction_type",
              fmt::format("{} or {}", kVelocityName, kFlowName));
}

int64_t SizeMultiple(const UNetConfig& config) {
  return config.patch << (config.block_channels.size() - 1);
}

}  // namespace keylens::generator
