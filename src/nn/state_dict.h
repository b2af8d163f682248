#ifndef KEYLENS_SRC_NN_STATE_DICT_H_
#define KEYLENS_SRC_NN_STATE_DICT_H_

#include <torch/torch.h>

#include <filesystem>
#include <map>
#include <memory>
#include <span>
#include <string>

#include "src/checkpoint/element_type.h"
#include "src/weights/weight_report.h"
#include "src/weights/weight_source.h"

namespace keylens::nn {

// Fills the parameters and buffers of `module` from weights of the same names,
// as PyTorch's load_state_dict does: strictly, and one after the other, without
// a copy of the whole. Memory formats stay as they are.
//
// Throws one Error that names the file and every tensor that is missing, has
// another shape, holds integers, or is none of the module's; the module is then
// as it was. Throws Error as well, naming file and tensor, where an element is
// NaN or infinite; those before it are then loaded.
void LoadStateDict(torch::nn::Module& module, const WeightSource& weights);

// The module that `config` describes, with its weights, in evaluation mode.
// `weights` is compared with `specs` before anything is made, so that a config
// cannot ask for more memory than the file has. Throws Error as LoadStateDict
// does.
template <typename Module, typename Config>
Module LoadModule(const Config& config, std::span<const TensorSpec> specs,
                  const WeightSource& weights) {
  RequireWeights(weights, specs);
  Module module(config);
  LoadStateDict(*module, weights);
  module->eval();
  return module;
}

// The parameters and buffers as they are now, copied, for what only runs
// forward.
std::shared_ptr<const WeightSource> SourceOf(const torch::nn::Module& module);

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
