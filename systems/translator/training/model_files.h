#ifndef KEYLENS_SYSTEMS_TRANSLATOR_TRAINING_MODEL_FILES_H_
#define KEYLENS_SYSTEMS_TRANSLATOR_TRAINING_MODEL_FILES_H_

#include <filesystem>

#include "src/models/keylens_translator/model.h"

namespace keylens::translator {

// Gives `model` the weights of a folder whose config is the model's own. Throws
// Error, naming file and tensor, where one is missing, not known, or of another
// shape.
void LoadWeights(TranslatorModelImpl& model,
                 const std::filesystem::path& folder);

// Weights as float16, each file atomically; `tokenizer_file` is copied.
void WriteModelFolder(TranslatorModelImpl& model,
                      const std::filesystem::path& tokenizer_file,
                      const std::filesystem::path& folder);

}  // namespace keylens::translator

#endif  // KEYLENS_SYSTEMS_TRANSLATOR_TRAINING_MODEL_FILES_H_
