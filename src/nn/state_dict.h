#ifndef KEYLENS_SRC_NN_STATE_DICT_H_
#define KEYLENS_SRC_NN_STATE_DICT_H_

#include <torch/torch.h>

#include <filesystem>
#include <map>
#include <string>

#include "src/checkpoint/safetensors.h"

namespace keylens::nn {

// Fills the parameters and buffers of `module` from tensors of the same names,
// as PyTorch's load_state_dict does: strictly. Memory formats stay as they are.
// Throws Error, naming the file and the tensor, where one is missing, has
// another shape, holds integers, or is none of the module's; the module is then
// as it was.
void LoadStateDict(torch::nn::Module& module, const Safetensors& file);

// Writes the parameters and buffers of `module` under their names, rounded to
// `type` (kFloat32, kFloat16 or kBFloat16), atomically; PyTorch reads the file
// with safetensors' load_file. Throws Error, naming the file, where it cannot
// be written.
void SaveStateDict(const torch::nn::Module& module,
                   const std::filesystem::path& path,
                   ElementType type = ElementType::kFloat32,
                   const std::map<std::string, std::string>& metadata = {
                       {"format", "pt"}});

}  // namespace keylens::nn

#endif  // KEYLENS_SRC_NN_STATE_DICT_H_
