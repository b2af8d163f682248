#include "src/nn/inference/packed_layers.h"

#include <keylens/nn/linear.h>
#include <torch/torch.h>

#include "src/nn/inference/row_kernels.h"

namespace keylens::nn {
namespace {

torch::Tensor Plain(const torch::Tensor& tensor) {
  return tensor.detach().to(torch::kFloat32).contiguous();
}

torch::Tensor BiasOf(const LinearImpl& linear) {
  return linear.bias.defined() ? linear.bias
                               : torch::zeros({linear.weight.size(0)});
}

torch::Tensor StackedWeights(std::initializer_list<const LinearImpl*> layers) {
  std::vector<torch::Tensor> weights;
  for (const LinearImpl* layer : layers)
    weights.push_back(layer->weight.detach());
  return torch::cat(weights);
}

torch::Tensor StackedBiases(std::initializer_list<const LinearImpl*> layers) {
  std::vector<torch::Tensor> biases;
  for (const LinearImpl* layer : layers)
    biases.push_back(BiasOf(*layer).detach());
  return torch::cat(biases);
}

std::vector<float> ToVector(const torch::Tensor& tensor) {
  const torch::Tensor plain = Plain(tensor);
  const float* data = plain.data_ptr<float>();
  return {data, data + plain.numel()};
}

}  // namespace

PackedLinear::PackedLinear(const torch::Tensor& weight,
                           const torch::Tensor& bias)
    : in_(weight.size(1)),
      out_(weight.size(0)),
      weight_(PackedSize(in_, out_)),
      bias_(PackedSize(1, out_)) {
  PackWeight(Plain(weight).data_ptr<float>(), in_, out_, weight_.get());
  const torch::Tensor shift =
      bias.defined() ? Plain(bias) : torch::zeros({out_});
  PackWeight(shift.data_ptr<float>(), 1, out_, bias_.get());
}

PackedLinear::PackedLinear(const LinearImpl& linear)
    : PackedLinear(linear.weight, linear.bias) {}

PackedLinear::PackedLinear(std::initializer_list<const LinearImpl*> layers)
    : PackedLinear(StackedWeights(layers), StackedBiases(layers)) {}

void PackedLinear::Apply(const float* x, int64_t n, float* y) const {
  MultiplyRows(x, n, in_, weight_.get(), bias_.get(), out_, false, y);
}

void PackedLinear::Add(const float* x, int64_t n, float* y) const {
  MultiplyRows(x, n, in_, weight_.get(), bias_.get(), out_, true, y);
}

PackedNorm::PackedNorm(const torch::nn::LayerNormImpl& norm)
    : scale_(ToVector(norm.weight)),
      shift_(ToVector(norm.bias)),
      epsilon_(static_cast<float>(norm.options.eps())) {}

void PackedNorm::Apply(const float* x, int64_t n, float* y) const {
  NormalizeRows(x, n, static_cast<int64_t>(scale_.size()), scale_.data(),
                shift_.data(), epsilon_, y);
}

}  // namespace keylens::nn
