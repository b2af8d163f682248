#ifndef KEYLENS_SYSTEMS_GENERATOR_TRAINING_SAMPLE_GRID_H_
#define KEYLENS_SYSTEMS_GENERATOR_TRAINING_SAMPLE_GRID_H_

#include <filesystem>
#include <string>
#include <vector>

#include "src/models/keylens_unet/model.h"
#include "src/text/tokenizer.h"

namespace keylens::generator {

// Draws one picture for each prompt, each with the same seed every time, and
// writes them side by side, over white and above their prompts, as one PNG.
void WriteSampleGrid(GeneratorModelImpl& model, const Tokenizer& tokenizer,
                     const std::vector<std::string>& prompts,
                     const std::filesystem::path& path);

}  // namespace keylens::generator

#endif  // KEYLENS_SYSTEMS_GENERATOR_TRAINING_SAMPLE_GRID_H_
