#include "systems/classifier/training/model_files.h"

#include <nlohmann/json.hpp>

#include "src/base/atomic_folder.h"
#include "src/base/file.h"
#include "src/models/vit/tensors.h"
#include "src/nn/state_dict.h"
#include "src/weights/model_folder.h"
#include "systems/classifier/model/model_folder.h"

namespace keylens::classifier {

ClassifierModel ReadModule(const std::filesystem::path& folder) {
  const ClassifierConfig config = ReadConfig(folder);
  return nn::LoadModule<ClassifierModel>(config, TensorsOf(config),
                                         *OpenWeights(WeightsFile(folder)));
}

void WriteModelFolder(const ClassifierModelImpl& model,
                      const std::filesystem::path& folder) {
  WriteFolderAtomically(folder, [&](const std::filesystem::path& temporary) {
    nn::SaveStateDict(model, WeightsFile(temporary), ElementType::kFloat16);
    WriteFileAtomically(ConfigFile(temporary),
                        ToJson(model.config()).dump(2) + "\n");
  });
}

}  // namespace keylens::classifier
