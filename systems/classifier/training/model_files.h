#ifndef KEYLENS_SYSTEMS_CLASSIFIER_TRAINING_MODEL_FILES_H_
#define KEYLENS_SYSTEMS_CLASSIFIER_TRAINING_MODEL_FILES_H_

#include <filesystem>

#include "src/models/vit/model.h"

namespace keylens::classifier {

// The module of a model folder (model_folder.h), in evaluation mode. Throws
// Error with one line that names the file, and the tensor where it is about
// one.
ClassifierModel ReadModule(const std::filesystem::path& folder);

// Weights as float16, each file atomically.
void WriteModelFolder(const ClassifierModelImpl& model,
                      const std::filesystem::path& folder);

}  // namespace keylens::classifier

#endif  // KEYLENS_SYSTEMS_CLASSIFIER_TRAINING_MODEL_FILES_H_
