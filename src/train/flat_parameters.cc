#include "src/train/flat_parameters.h"

#include <stdexcept>

namespace keylens::train {
namespace {

// Every parameter starts on a cache line: 16 floats.
constexpr int64_t kAlignment = 16;

int64_t Aligned(int64_t offset) {
  return (offset + kAlignment - 1) / kAlignment * kAlignment;
}

void CheckKind(const std::string& name, const torch::Tensor& parameter) {
  if (parameter.scalar_type() == torch::kFloat && parameter.device().is_cpu() &&
      parameter.is_non_overlapping_and_dense()) {
    return;
  }
  throw std::invalid_argument("FlatParameters: " + name +
                              " is not a dense float32 tensor on the CPU");
}

}  // namespace

FlatParameters::FlatParameters(torch::nn::Module& module) {
  int64_t size = 0;
  for (const auto& item : module.named_parameters()) {
    CheckKind(item.key(), item.value());
    entries_.push_back({item.key(), item.value().sizes().vec(),
                        item.value().strides().vec(), size});
    size = Aligned(size + item.value().numel());
  }
  values_ = torch::zeros({size}, torch::kFloat);
  torch::NoGradGuard no_grad;
  const auto parameters = module.named_parameters();
  for (const Entry& entry : entries_) {
    View(values_, entry).copy_(parameters[entry.name]);
  }
}

torch::Tensor FlatParameters::Attach(torch::nn::Module& replica) const {
  torch::Tensor gradient = torch::zeros_like(values_);
  auto parameters = replica.named_parameters();
  for (const Entry& entry : entries_) {
    torch::Tensor& parameter = parameters[entry.name];
    parameter.set_data(View(values_, entry));
    parameter.mutable_grad() = View(gradient, entry);
  }
  return gradient;
}

FlatParameters::NamedViews FlatParameters::Views(
    const torch::Tensor& buffer) const {
  NamedViews views;
  for (const Entry& entry : entries_) {
    views.emplace_back(entry.name, View(buffer, entry));
  }
  return views;
}

torch::Tensor FlatParameters::View(const torch::Tensor& buffer,
                                   const Entry& entry) const {
  return buffer.as_strided(entry.shape, entry.strides, entry.offset);
}

}  // namespace keylens::train
