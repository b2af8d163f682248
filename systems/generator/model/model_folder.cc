#include "systems/generator/model/model_folder.h"

#include <nlohmann/json.hpp>
#include <string>

#include "src/base/atomic_folder.h"
#include "src/base/error.h"
#include "src/base/file.h"
#include "src/models/keylens_unet/tensors.h"
#include "src/models/registry.h"
#include "src/nn/state_dict.h"
#include "src/weights/model_folder.h"

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
  RequireModelKind(folder, "keylens_unet");
  const GeneratorConfig config = ReadConfig(folder);
  SentencePieceTokenizer tokenizer =
      SentencePieceTokenizer::Load(folder / kTokenizer);
  CheckAgreement(folder, config, tokenizer);
  const auto text = OpenWeights(folder / kTextWeights);
  const auto unet = OpenWeights(folder / kUNetWeights);
  // Before anything is made: a config cannot ask for more than the files have.
  RequireWeights(*text, TensorsOf(config.text));
  RequireWeights(*unet, TensorsOf(config.unet));
  GeneratorModel model(config);
  nn::LoadStateDict(*model->text_encoder, *text);
  nn::LoadStateDict(*model->unet, *unet);
  model->eval();
  return {model, std::move(tokenizer),
          ReadSchedulerOptions(folder / kScheduler)};
}

void WriteModelFolder(GeneratorModelImpl& model, const fs::path& tokenizer_file,
                      const fs::path& folder) {
  const GeneratorConfig& config = model.config();
  WriteFolderAtomically(folder, [&](const fs::path& temporary) {
    WriteJson(temporary / kTextConfig, ToJson(config.text));
    WriteJson(temporary / kUNetConfig, ToJson(config.unet));
    WriteJson(temporary / kScheduler, ToJson(config.scheduler));
    WriteJson(temporary / "tokenizer/tokenizer_config.json",
              TokenizerConfig(config));
    WriteFileAtomically(temporary / kTokenizer, ReadFile(tokenizer_file));
    nn::SaveStateDict(*model.text_encoder, temporary / kTextWeights,
                      ElementType::kFloat16);
    nn::SaveStateDict(*model.unet, temporary / kUNetWeights,
                      ElementType::kFloat16);
    WriteJson(temporary / "model_index.json", ModelIndex());
  });
}

}  // namespace keylens::generator
