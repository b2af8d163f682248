#include "src/nn/state_dict.h"

#include <cstddef>
#include <span>
#include <sstream>
#include <vector>

#include "src/base/error.h"

namespace keylens::nn {
namespace {

// Parameters and buffers by name.
std::map<std::string, torch::Tensor> StateOf(const torch::nn::Module& module) {
  std::map<std::string, torch::Tensor> state;
  for (const auto& item : module.named_parameters())
    state[item.key()] = item.value();
  for (const auto& item : module.named_buffers())
    state[item.key()] = item.value();
  return state;
}

template <typename Shape>
std::string ToText(const Shape& shape) {
  std::ostringstream text;
  text << torch::IntArrayRef(shape);
  return text.str();
}

// The values of one tensor, checked against the one they are for.
torch::Tensor ReadTensor(const Safetensors& file, const std::string& name,
                         const torch::Tensor& target) {
  const NamedTensor* stored = file.Find(name);
  if (stored == nullptr)
    throw Error(file.name() + ": tensor " + name + " is missing");
  if (torch::IntArrayRef(stored->shape) != target.sizes()) {
    throw Error(file.name() + ": tensor " + name + " has shape " +
                ToText(stored->shape) + "; the model's is " +
                ToText(target.sizes()));
  }
  const std::vector<float> values = ToFloat32(*stored);
  return torch::tensor(at::ArrayRef<float>(values)).view(target.sizes());
}

void RefuseUnknown(const Safetensors& file,
                   const std::map<std::string, torch::Tensor>& state) {
  for (const NamedTensor& stored : file.tensors()) {
    if (!state.contains(stored.name)) {
      throw Error(file.name() + ": tensor " + stored.name +
                  " is none of the model's");
    }
  }
}

torch::ScalarType ScalarTypeOf(ElementType type) {
  switch (type) {
    case ElementType::kFloat32:
      return torch::kFloat32;
    case ElementType::kFloat16:
      return torch::kFloat16;
    case ElementType::kBFloat16:
      return torch::kBFloat16;
    default:
      throw Error("a state dict is written as F32, F16 or BF16, not as " +
                  std::string(NameOf(type)));
  }
}

}  // namespace

void LoadStateDict(torch::nn::Module& module, const Safetensors& file) {
  std::map<std::string, torch::Tensor> state = StateOf(module), values;
  RefuseUnknown(file, state);
  for (const auto& [name, target] : state)
    values[name] = ReadTensor(file, name, target);
  torch::NoGradGuard no_grad;
  for (auto& [name, target] : state) target.copy_(values[name]);
}

void SaveStateDict(const torch::nn::Module& module,
                   const std::filesystem::path& path, ElementType type,
                   const std::map<std::string, std::string>& metadata) {
  std::vector<torch::Tensor> rounded;  // keeps the bytes alive
  std::vector<NamedTensor> tensors;
  for (const auto& [name, tensor] : StateOf(module)) {
    rounded.push_back(tensor.detach().to(ScalarTypeOf(type)).contiguous());
    const auto* bytes =
        static_cast<const std::byte*>(rounded.back().data_ptr());
    tensors.push_back({name, type, tensor.sizes().vec(),
                       std::span(bytes, rounded.back().nbytes())});
  }
  WriteSafetensors(path, tensors, metadata);
}

}  // namespace keylens::nn
