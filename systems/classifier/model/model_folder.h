#ifndef KEYLENS_SYSTEMS_CLASSIFIER_MODEL_MODEL_FOLDER_H_
#define KEYLENS_SYSTEMS_CLASSIFIER_MODEL_MODEL_FOLDER_H_

#include <filesystem>

#include "src/models/vit/model.h"

namespace keylens::classifier {

// A model is a folder of config.json and model.safetensors.
//
// Throws Error with one line that names the file, and the tensor where it is
// about one.
ClassifierModel ReadModelFolder(const std::filesystem::path& folder);

// Weights as float16; the folder is replaced as a whole.
void WriteModelFolder(const ClassifierModelImpl& model,
                      const std::filesystem::path& folder);

}  // namespace keylens::classifier

#endif  // KEYLENS_SYSTEMS_CLASSIFIER_MODEL_MODEL_FOLDER_H_
