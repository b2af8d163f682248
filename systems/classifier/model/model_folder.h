#ifndef KEYLENS_SYSTEMS_CLASSIFIER_MODEL_MODEL_FOLDER_H_
#define KEYLENS_SYSTEMS_CLASSIFIER_MODEL_MODEL_FOLDER_H_

#include <filesystem>

#include "src/models/vit/inference_model.h"

namespace keylens::classifier {

// A model is a folder of config.json and model.safetensors. All throw Error
// with one line that names the file, and the tensor where it is about one.

InferenceModel ReadModelFolder(const std::filesystem::path& folder);

ClassifierConfig ReadConfig(const std::filesystem::path& folder);

// The files of a folder.
std::filesystem::path ConfigFile(const std::filesystem::path& folder);
std::filesystem::path WeightsFile(const std::filesystem::path& folder);

}  // namespace keylens::classifier

#endif  // KEYLENS_SYSTEMS_CLASSIFIER_MODEL_MODEL_FOLDER_H_
