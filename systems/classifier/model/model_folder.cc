#include "systems/classifier/model/model_folder.h"

#include "src/models/registry.h"
#include "src/models/vit/tensors.h"
#include "src/weights/model_folder.h"

namespace keylens::classifier {

namespace fs = std::filesystem;

fs::path ConfigFile(const fs::path& folder) { return folder / "config.json"; }

fs::path WeightsFile(const fs::path& folder) {
  return folder / "model.safetensors";
}

ClassifierConfig ReadConfig(const fs::path& folder) {
  RequireModelKind(folder, "vit");
  return ReadClassifierConfig(ConfigFile(folder));
}

InferenceModel ReadModelFolder(const fs::path& folder) {
  const ClassifierConfig config = ReadConfig(folder);
  const auto weights = OpenWeights(WeightsFile(folder));
  RequireWeights(*weights, TensorsOf(config));
  return InferenceModel(config, *weights);
}

}  // namespace keylens::classifier
