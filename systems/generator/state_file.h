#ifndef KEYLENS_SYSTEMS_GENERATOR_STATE_FILE_H_
#define KEYLENS_SYSTEMS_GENERATOR_STATE_FILE_H_

#include <torch/torch.h>

#include <filesystem>

namespace keylens::generator {

// Writes the parameters of `module` as float16 safetensors, atomically.
void WriteStateFile(const torch::nn::Module& module,
                    const std::filesystem::path& path);

// Fills the parameters of `module`. Throws Error, naming the file and the
// tensor, unless the file has exactly the parameters' names and shapes.
void ReadStateFile(const std::filesystem::path& path,
                   torch::nn::Module& module);

}  // namespace keylens::generator

#endif  // KEYLENS_SYSTEMS_GENERATOR_STATE_FILE_H_
