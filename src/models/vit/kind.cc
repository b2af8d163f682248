#include "src/models/vit/kind.h"

#include "src/models/vit/config.h"
#include "src/models/vit/tensors.h"

namespace keylens::classifier {
namespace {

namespace fs = std::filesystem;

bool Recognises(const fs::path& folder) {
  return ClassNameIn(folder / "config.json") == "KeylensClassifier";
}

ModelDescription Describe(const fs::path& folder) {
  ModelDescriber describer(kModelKind, folder);
  describer.AddPart("", "model.safetensors", [&] {
    return TensorsOf(ReadClassifierConfig(folder / "config.json"));
  });
  return describer.Take();
}

}  // namespace

const ModelKind kModelKind = {
    "vit", "a classifier: a Vision Transformer of Keylens's own", "config.json",
    Recognises, Describe};

}  // namespace keylens::classifier
