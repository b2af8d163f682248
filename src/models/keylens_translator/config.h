#ifndef KEYLENS_SRC_MODELS_KEYLENS_TRANSLATOR_CONFIG_H_
#define KEYLENS_SRC_MODELS_KEYLENS_TRANSLATOR_CONFIG_H_

#include <keylens/nn/block_options.h>

#include <cstdint>
#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>

namespace keylens::translator {

// An encoder-decoder Transformer. File: config.json.
struct TranslatorConfig {
  int64_t vocab_size = 8000;  // of both languages together
  int64_t hidden_size = 256;
  int64_t num_heads = 8;
  int64_t mlp_size = 1024;
  int64_t encoder_layers = 6;
  int64_t decoder_layers = 3;
  int64_t max_tokens = 256;  // of a sentence, the end token included
  // ISO 639-1. A file that does not say them is of a model that was trained
  // when there were no others.
  std::string source_language = "de", target_language = "en";
};

// The layers of its two stacks.
nn::BlockOptions EncoderOptions(const TranslatorConfig& config);
nn::BlockOptions DecoderOptions(const TranslatorConfig& config);

nlohmann::json ToJson(const TranslatorConfig& config);

// Throws Error, naming the file and the entry, where one is missing, of another
// type, or outside what a model can have.
TranslatorConfig ReadTranslatorConfig(const std::filesystem::path& path);

}  // namespace keylens::translator

#endif  // KEYLENS_SRC_MODELS_KEYLENS_TRANSLATOR_CONFIG_H_
