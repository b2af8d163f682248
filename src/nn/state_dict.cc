#include "src/nn/state_dict.h"

#include <cstddef>
#include <span>
#include <vector>

#include "src/base/error.h"
#include "src/checkpoint/safetensors.h"
#include "src/weights/weight_report.h"

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

std::vector<TensorSpec> SpecsOf(
    const std::map<std::string, torch::Tensor>& state) {
  std::vector<TensorSpec> specs;
  for (const auto& [name, tensor] : state)
    specs.push_back({name, tensor.sizes().vec()});
  return specs;
}

void Fill(const WeightView& view, torch::Tensor& target) {
  const bool as_it_lies =
      target.is_contiguous() && target.scalar_type() == torch::kFloat32;
  torch::Tensor values =
      as_it_lies ? target : torch::empty(target.sizes(), torch::kFloat32);
  CopyAsFloat(view, {values.data_ptr<float>(),
                     static_cast<std::size_t>(values.numel())});
  if (!as_it_lies) target.copy_(values);
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

void LoadStateDict(torch::nn::Module& module, const WeightSource& weights) {
  std::map<std::string, torch::Tensor> state = StateOf(module);
  RequireWeights(weights, SpecsOf(state));
  torch::NoGradGuard no_grad;
  for (auto& [name, target] : state) Fill(*weights.Find(name), target);
}

std::shared_ptr<const WeightSource> SourceOf(const torch::nn::Module& module) {
  auto source = std::make_shared<MemorySource>("the module");
  for (const auto& [name, tensor] : StateOf(module)) {
    const torch::Tensor plain =
        tensor.detach().to(torch::kFloat32).contiguous();
    source->Add(name, plain.sizes().vec(),
                std::span(plain.data_ptr<float>(),
                          static_cast<std::size_t>(plain.numel())));
  }
  return source;
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
