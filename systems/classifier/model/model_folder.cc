#include "systems/classifier/model/model_folder.h"

#include <nlohmann/json.hpp>

#include "src/base/atomic_folder.h"
#include "src/base/file.h"
#include "src/models/registry.h"
#include "src/models/vit/tensors.h"
#include "src/nn/state_dict.h"
#include "src/weights/model_folder.h"

namespace keylens::classifier {
namespace {

constexpr const char* kConfig = "config.json";
constexpr const char* kWeights = "model.safetensors";

}  // namespace

ClassifierModel ReadModelFolder(const std::filesystem::path& folder) {
  RequireModelKind(folder, "vit");
  const ClassifierConfig config = ReadClassifierConfig(folder / kConfig);
  return nn::LoadModule<ClassifierModel>(config, TensorsOf(config),
                                         *OpenWeights(folder / kWeights));
}

void WriteModelFolder(const ClassifierModelImpl& model,
                      const std::filesystem::path& folder) {
  WriteFolderAtomically(folder, [&](const std::filesystem::path& temporary) {
    nn::SaveStateDict(model, temporary / kWeights, ElementType::kFloat16);
    WriteFileAtomically(temporary / kConfig,
                        ToJson(model.config()).dump(2) + "\n");
  });
}

}  // namespace keylens::classifier
