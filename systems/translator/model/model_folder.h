#ifndef KEYLENS_SYSTEMS_TRANSLATOR_MODEL_MODEL_FOLDER_H_
#define KEYLENS_SYSTEMS_TRANSLATOR_MODEL_MODEL_FOLDER_H_

#include <filesystem>

#include "src/models/keylens_translator/model.h"
#include "src/text/tokenizer.h"

namespace keylens::translator {

// A model as a folder:
//   config.json        TranslatorConfig
//   model.safetensors  the weights
//   spiece.model       the SentencePiece model of both languages
struct ModelFolder {
  TranslatorModel model = nullptr;
  Tokenizer tokenizer;
};

// The model is in evaluation mode. Throws Error with one line that names the
// file, and the tensor where it is about one: a file that is missing or cut
// off, a tensor that is missing, not known, or of another shape than the config
// says, a tokenizer of another size or without start and end.
ModelFolder ReadModelFolder(const std::filesystem::path& folder);

// Gives `model` the weights of a folder whose config is the model's own. Throws
// Error as ReadModelFolder does.
void LoadWeights(TranslatorModelImpl& model,
                 const std::filesystem::path& folder);

// The files of a folder.
std::filesystem::path ConfigFile(const std::filesystem::path& folder);
std::filesystem::path TokenizerFile(const std::filesystem::path& folder);

// Weights as float16; the folder is replaced as a whole; `tokenizer_file` is
// copied.
void WriteModelFolder(TranslatorModelImpl& model,
                      const std::filesystem::path& tokenizer_file,
                      const std::filesystem::path& folder);

}  // namespace keylens::translator

#endif  // KEYLENS_SYSTEMS_TRANSLATOR_MODEL_MODEL_FOLDER_H_
