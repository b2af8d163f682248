#include "src/models/keylens_translator/kind.h"

#include "src/models/keylens_translator/config.h"
#include "src/models/keylens_translator/tensors.h"

namespace keylens::translator {
namespace {

namespace fs = std::filesystem;

bool Recognises(const fs::path& folder) {
  return ClassNameIn(folder / "config.json") == "KeylensTranslator";
}

ModelDescription Describe(const fs::path& folder) {
  ModelDescriber describer(kModelKind, folder);
  describer.AddPart("", "model.safetensors", [&] {
    return TensorsOf(ReadTranslatorConfig(folder / "config.json"));
  });
  describer.AddFile("spiece.model");
  return describer.Take();
}

}  // namespace

const ModelKind kModelKind = {
    "keylens_translator",
    "a translator: an encoder-decoder Transformer of Keylens's own",
    "config.json", Recognises, Describe};

}  // namespace keylens::translator
