#ifndef KEYLENS_SYSTEMS_GENERATOR_MODEL_MODEL_FOLDER_H_
#define KEYLENS_SYSTEMS_GENERATOR_MODEL_MODEL_FOLDER_H_

#include <filesystem>

#include "src/models/keylens_unet/model.h"
#include "src/text/sentence_piece_tokenizer.h"
#include "systems/generator/schedulers/scheduler_options.h"

namespace keylens::generator {

// A model as a folder of the diffusers kind:
//   model_index.json
//   text_encoder/config.json  text_encoder/model.safetensors
//   unet/config.json          unet/diffusion_pytorch_model.safetensors
//   tokenizer/spiece.model    tokenizer/tokenizer_config.json
//   scheduler/scheduler_config.json
struct ModelFolder {
  GeneratorModel model = nullptr;
  SentencePieceTokenizer tokenizer;
  SchedulerOptions scheduler;
};

// Throws Error with one line that names the file, and the tensor where it is
// about one: a file that is missing or cut off, a tensor that is missing, not
// known, or of another shape than the config says.
ModelFolder ReadModelFolder(const std::filesystem::path& folder);

// Weights as float16; `tokenizer_file` is copied. The folder is replaced as a
// whole.
void WriteModelFolder(GeneratorModelImpl& model,
                      const std::filesystem::path& tokenizer_file,
                      const std::filesystem::path& folder);

}  // namespace keylens::generator

#endif  // KEYLENS_SYSTEMS_GENERATOR_MODEL_MODEL_FOLDER_H_
