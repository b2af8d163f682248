#include "systems/translator/model/model_folder.h"

#include <fmt/format.h>

#include <utility>

#include "src/base/error.h"
#include "src/models/keylens_translator/tensors.h"
#include "src/models/registry.h"
#include "src/weights/model_folder.h"

namespace keylens::translator {
namespace {

namespace fs = std::filesystem;

constexpr const char* kConfig = "config.json";
constexpr const char* kWeights = "model.safetensors";
constexpr const char* kTokenizer = "spiece.model";

void CheckTokenizer(const fs::path& path, const Tokenizer& tokenizer,
                    const TranslatorConfig& config) {
  if (tokenizer.vocab_size() != config.vocab_size) {
    throw Error(fmt::format("{}: has {} pieces; the model's vocab_size is {}",
                            path.string(), tokenizer.vocab_size(),
                            config.vocab_size));
  }
  if (tokenizer.start_id() < 0 || tokenizer.end_id() < 0) {
    throw Error(path.string() + ": has no start and end token");
  }
}

}  // namespace

ModelFolder ReadModelFolder(const fs::path& folder) {
  RequireModelKind(folder, "keylens_translator");
  const TranslatorConfig config = ReadTranslatorConfig(folder / kConfig);
  SentencePieceTokenizer tokenizer =
      SentencePieceTokenizer::Load(folder / kTokenizer);
  CheckTokenizer(folder / kTokenizer, tokenizer, config);
  auto weights = OpenWeights(folder / kWeights);
  RequireWeights(*weights, TensorsOf(config));
  return {config, std::move(tokenizer), std::move(weights)};
}

fs::path ConfigFile(const fs::path& folder) { return folder / kConfig; }

fs::path TokenizerFile(const fs::path& folder) { return folder / kTokenizer; }

fs::path WeightsFile(const fs::path& folder) { return folder / kWeights; }

}  // namespace keylens::translator
