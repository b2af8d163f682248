#include "src/models/keylens_translator/config.h"

#include <nlohmann/json.hpp>

#include "src/checkpoint/config_reader.h"

namespace keylens::translator {
namespace {

constexpr int64_t kMaxWidth = 4096;  // of any layer

nn::BlockOptions StackOptions(const TranslatorConfig& config, int64_t layers) {
  nn::BlockOptions options;
  options.hidden_size = config.hidden_size;
  options.num_heads = config.num_heads;
  options.mlp_size = config.mlp_size;
  options.num_layers = layers;
  options.activation = nn::Activation::kRelu;
  return options;
}

}  // namespace

nn::BlockOptions EncoderOptions(const TranslatorConfig& config) {
  return StackOptions(config, config.encoder_layers);
}

nn::BlockOptions DecoderOptions(const TranslatorConfig& config) {
  nn::BlockOptions options = StackOptions(config, config.decoder_layers);
  options.causal = options.cross_attention = true;
  return options;
}

nlohmann::json ToJson(const TranslatorConfig& config) {
  return {{"_class_name", "KeylensTranslator"},
          {"vocab_size", config.vocab_size},
          {"hidden_size", config.hidden_size},
          {"num_heads", config.num_heads},
          {"mlp_size", config.mlp_size},
          {"encoder_layers", config.encoder_layers},
          {"decoder_layers", config.decoder_layers},
          {"max_tokens", config.max_tokens},
          {"source_language", config.source_language},
          {"target_language", config.target_language}};
}

TranslatorConfig ReadTranslatorConfig(const std::filesystem::path& path) {
  const ConfigReader reader(path);
  if (reader.Text("_class_name") != "KeylensTranslator") {
    reader.Fail("_class_name", "KeylensTranslator: this is another model's");
  }
  TranslatorConfig config;
  reader.Read("vocab_size", 8, 1 << 20, config.vocab_size);
  reader.Read("hidden_size", 2, kMaxWidth, config.hidden_size);
  reader.Read("num_heads", 1, 256, config.num_heads);
  reader.Read("mlp_size", 1, 4 * kMaxWidth, config.mlp_size);
  reader.Read("encoder_layers", 1, 64, config.encoder_layers);
  reader.Read("decoder_layers", 1, 64, config.decoder_layers);
  reader.Read("max_tokens", 3, 4096, config.max_tokens);
  config.source_language =
      reader.TextOr("source_language", config.source_language);
  config.target_language =
      reader.TextOr("target_language", config.target_language);
  if (config.hidden_size % config.num_heads != 0) {
    reader.Fail("hidden_size", "a multiple of num_heads");
  }
  if (config.hidden_size % 2 != 0) reader.Fail("hidden_size", "even");
  return config;
}

}  // namespace keylens::translator
