#ifndef KEYLENS_SYSTEMS_TRANSLATOR_MODEL_MODEL_FOLDER_H_
#define KEYLENS_SYSTEMS_TRANSLATOR_MODEL_MODEL_FOLDER_H_

#include <filesystem>
#include <memory>

#include "src/models/keylens_translator/config.h"
#include "src/text/sentence_piece_tokenizer.h"
#include "src/weights/weight_source.h"

namespace keylens::translator {

// A model as a folder:
//   config.json        TranslatorConfig
//   model.safetensors  the weights
//   spiece.model       the SentencePiece model of both languages
struct ModelFolder {
  TranslatorConfig config;
  SentencePieceTokenizer tokenizer;
  std::shared_ptr<const WeightSource> weights;
};

// Throws Error with one line that names the file: one that is missing or cut
// off, a tokenizer of another size or without start and end.
ModelFolder ReadModelFolder(const std::filesystem::path& folder);

// The files of a folder.
std::filesystem::path ConfigFile(const std::filesystem::path& folder);
std::filesystem::path TokenizerFile(const std::filesystem::path& folder);
std::filesystem::path WeightsFile(const std::filesystem::path& folder);

}  // namespace keylens::translator

#endif  // KEYLENS_SYSTEMS_TRANSLATOR_MODEL_MODEL_FOLDER_H_
