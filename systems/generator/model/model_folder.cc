#include "systems/generator/model/model_folder.h"

#include <nlohmann/json.hpp>
#include <string>

#include "src/base/error.h"
#include "src/base/file.h"
#include "src/checkpoint/safetensors.h"
#include "src/nn/state_dict.h"

namespace keylens::generator {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

constexpr const char* kTextConfig = "text_encoder/config.json";
constexpr const char* kTextWeights = "text_encoder/model.safetensors";
constexpr const char* kUNetConfig = "unet/config.json";
constexpr const char* kUNetWeights = "unet/diffusion_pytorch_model.safetensors";
constexpr const char* kTokenizer = "tokenizer/spiece.model";
constexpr const char* kScheduler = "scheduler/scheduler_config.json";

void WriteJson(const fs::path& path, const Json& json) {
  MakeFolder(path.parent_path());
  WriteFileAtomically(path, json.dump(2) + "\n");
}

Json ModelIndex() {
  return {{"_class_name", "KeylensGenerator"},
          {"text_encoder", {"keylens", "KeylensTextEncoder"}},
          {"unet", {"keylens", "KeylensUNet"}},
          {"tokenizer", {"sentencepiece", "SentencePieceProcessor"}},
          {"scheduler", {"keylens", "KeylensScheduler"}}};
}

Json TokenizerConfig(const GeneratorConfig& config) {
  return {{"tokenizer_class", "SentencePieceProcessor"},
          {"model_max_length", config.text.max_tokens}};
}

GeneratorConfig ReadConfig(const fs::path& folder) {
  return {ReadTextEncoderConfig(folder / kTextConfig),
          ReadUNetConfig(folder / kUNetConfig),
          ReadSchedulerConfig(folder / kScheduler)};
}

void CheckAgreement(const fs::path& folder, const GeneratorConfig& config,
                    const Tokenizer& tokenizer) {
  if (config.text.hidden_size != config.unet.context_size) {
    throw Error((folder / kUNetConfig).string() +
                ": context_size is not the text encoder's hidden_size");
  }
  if (tokenizer.vocab_size() > config.text.vocab_size) {
    throw Error((folder / kTokenizer).string() +
                ": has more pieces than the text encoder's vocab_size");
  }
}

}  // namespace

ModelFolder ReadModelFolder(const fs::path& folder) {
  if (!fs::is_directory(folder)) {
    throw Error(folder.string() + ": no such model folder");
  }
  if (!fs::exists(folder / "model_index.json")) {
    throw Error(folder.string() +
                ": is no model folder (model_index.json is missing)");
  }
  const GeneratorConfig config = ReadConfig(folder);
  Tokenizer tokenizer = Tokenizer::Load(folder / kTokenizer);
  CheckAgreement(folder, config, tokenizer);
  GeneratorModel model(config);
  nn::LoadStateDict(*model->text_encoder,
                    Safetensors::Read(folder / kTextWeights));
  nn::LoadStateDict(*model->unet, Safetensors::Read(folder / kUNetWeights));
  model->eval();
  return {model, std::move(tokenizer)};
}

void WriteModelFolder(GeneratorModelImpl& model, const fs::path& tokenizer_file,
                      const fs::path& folder) {
  const GeneratorConfig& config = model.config();
  WriteJson(folder / kTextConfig, ToJson(config.text));
  WriteJson(folder / kUNetConfig, ToJson(config.unet));
  WriteJson(folder / kScheduler, ToJson(config.scheduler));
  WriteJson(folder / "tokenizer/tokenizer_config.json",
            TokenizerConfig(config));
  WriteFileAtomically(folder / kTokenizer, ReadFile(tokenizer_file));
  nn::SaveStateDict(*model.text_encoder, folder / kTextWeights,
                    ElementType::kFloat16);
  nn::SaveStateDict(*model.unet, folder / kUNetWeights, ElementType::kFloat16);
  WriteJson(folder / "model_index.json", ModelIndex());
}

}  // namespace keylens::generator
