#include "systems/classifier/model/model_folder.h"

#include <nlohmann/json.hpp>

#include "src/base/error.h"
#include "src/base/file.h"
#include "src/checkpoint/safetensors.h"
#include "src/nn/state_dict.h"

namespace keylens::classifier {
namespace {

constexpr const char* kConfig = "config.json";
constexpr const char* kWeights = "model.safetensors";

}  // namespace

ClassifierModel ReadModelFolder(const std::filesystem::path& folder) {
  if (!std::filesystem::is_directory(folder)) {
    throw Error(folder.string() + ": no such model folder");
  }
  if (!std::filesystem::exists(folder / kConfig)) {
    throw Error(folder.string() +
                ": is no model folder (config.json is missing)");
  }
  ClassifierModel model(ReadClassifierConfig(folder / kConfig));
  nn::LoadStateDict(*model, Safetensors::Read(folder / kWeights));
  model->eval();
  return model;
}

void WriteModelFolder(const ClassifierModelImpl& model,
                      const std::filesystem::path& folder) {
  MakeFolder(folder);
  nn::SaveStateDict(model, folder / kWeights, ElementType::kFloat16);
  WriteFileAtomically(folder / kConfig, ToJson(model.config()).dump(2) + "\n");
}

}  // namespace keylens::classifier
