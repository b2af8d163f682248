#include "systems/generator/state_file.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string>
#include <vector>

#include "src/base/error.h"
#include "src/checkpoint/safetensors.h"

namespace keylens::generator {
namespace {

std::vector<uint16_t> Float16Bits(const torch::Tensor& parameter) {
  const torch::Tensor dense = parameter.detach().contiguous();
  const float* values = dense.data_ptr<float>();
  std::vector<uint16_t> bits(dense.numel());
  for (std::size_t i = 0; i < bits.size(); ++i) {
    bits[i] = Float16FromFloat(values[i]);
  }
  return bits;
}

void Fill(const Safetensors& file, const std::string& name,
          torch::Tensor parameter) {
  const NamedTensor* stored = file.Find(name);
  if (stored == nullptr) {
    throw Error(fmt::format("{}: tensor {} is missing", file.name(), name));
  }
  if (torch::IntArrayRef(stored->shape) != parameter.sizes()) {
    throw Error(fmt::format("{}: tensor {} has the shape [{}], not [{}]",
                            file.name(), name, fmt::join(stored->shape, ", "),
                            fmt::join(parameter.sizes(), ", ")));
  }
  std::vector<float> values = ToFloat32(*stored);
  parameter.copy_(
      torch::from_blob(values.data(), parameter.sizes(), torch::kFloat));
}

}  // namespace

void WriteStateFile(const torch::nn::Module& module,
                    const std::filesystem::path& path) {
  std::vector<std::vector<uint16_t>> bits;
  std::vector<NamedTensor> tensors;
  const auto parameters = module.named_parameters();
  bits.reserve(parameters.size());
  for (const auto& item : parameters) {
    bits.push_back(Float16Bits(item.value()));
    tensors.push_back({item.key(), ElementType::kFloat16,
                       item.value().sizes().vec(),
                       std::as_bytes(std::span(bits.back()))});
  }
  WriteSafetensors(path, tensors, {{"format", "pt"}});
}

void ReadStateFile(const std::filesystem::path& path,
                   torch::nn::Module& module) {
  const Safetensors file = Safetensors::Read(path);
  torch::NoGradGuard no_grad;
  auto parameters = module.named_parameters();
  for (auto& item : parameters) Fill(file, item.key(), item.value());
  for (const NamedTensor& stored : file.tensors()) {
    if (!parameters.contains(stored.name)) {
      throw Error(fmt::format("{}: tensor {} is none of the model's",
                              file.name(), stored.name));
    }
  }
}

}  // namespace keylens::generator
