#include "src/models/vit/config.h"

#include <nlohmann/json.hpp>

#include "src/checkpoint/config_reader.h"

namespace keylens::classifier {
namespace {

constexpr const char* kClassName = "KeylensClassifier";
constexpr const char* kDarkName = "dark";
constexpr const char* kAnyName = "any";

Ground ReadGround(const ConfigReader& reader) {
  const std::string name = reader.Text("ground");
  if (name == kDarkName) return Ground::kDark;
  if (name == kAnyName) return Ground::kAny;
  reader.Fail("ground", "dark or any");
}

void CheckSizes(const ConfigReader& reader, const ClassifierConfig& config) {
  if (config.image_size % config.patch_size != 0) {
    reader.Fail("image_size", "a multiple of patch_size");
  }
  if (config.hidden_size % config.num_attention_heads != 0) {
    reader.Fail("hidden_size", "a multiple of num_attention_heads");
  }
  if (config.num_channels == 2) reader.Fail("num_channels", "1 or 3");
}

}  // namespace

nn::BlockOptions EncoderOptions(const ClassifierConfig& config) {
  nn::BlockOptions options;
  options.hidden_size = config.hidden_size;
  options.num_heads = config.num_attention_heads;
  options.mlp_size = config.intermediate_size;
  options.num_layers = config.num_hidden_layers;
  return options;
}

Framing FramingOf(const ClassifierConfig& config) {
  return {static_cast<int>(config.image_size),
          static_cast<int>(config.content_size),
          static_cast<int>(config.num_channels), config.ground};
}

nlohmann::json ToJson(const ClassifierConfig& config) {
  return {{"_class_name", kClassName},
          {"image_size", config.image_size},
          {"patch_size", config.patch_size},
          {"num_channels", config.num_channels},
          {"hidden_size", config.hidden_size},
          {"num_hidden_layers", config.num_hidden_layers},
          {"num_attention_heads", config.num_attention_heads},
          {"intermediate_size", config.intermediate_size},
          {"content_size", config.content_size},
          {"ground", config.ground == Ground::kDark ? kDarkName : kAnyName},
          {"image_mean", config.image_mean},
          {"image_std", config.image_std},
          {"num_views", config.num_views},
          {"labels", config.labels}};
}

ClassifierConfig ReadClassifierConfig(const std::filesystem::path& path) {
  const ConfigReader reader(path);
  if (reader.Text("_class_name") != kClassName) {
    reader.Fail("_class_name", "KeylensClassifier: this is another model's");
  }
  ClassifierConfig config;
  reader.Read("image_size", 1, kMaxImageSize, config.image_size);
  reader.Read("patch_size", 1, config.image_size, config.patch_size);
  reader.Read("num_channels", 1, 3, config.num_channels);
  reader.Read("hidden_size", 1, 4096, config.hidden_size);
  reader.Read("num_hidden_layers", 1, 64, config.num_hidden_layers);
  reader.Read("num_attention_heads", 1, 256, config.num_attention_heads);
  reader.Read("intermediate_size", 1, 16384, config.intermediate_size);
  reader.Read("content_size", 1, config.image_size, config.content_size);
  reader.Read("image_mean", 0.0, 1.0, config.image_mean);
  reader.Read("image_std", 1e-3, 1.0, config.image_std);
  reader.Read("num_views", 1, 2, config.num_views);
  config.labels = reader.Texts("labels", kMaxClasses);
  config.ground = ReadGround(reader);
  CheckSizes(reader, config);
  return config;
}

}  // namespace keylens::classifier
