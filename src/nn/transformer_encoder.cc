#include <keylens/nn/transformer_encoder.h>

namespace keylens::nn {
namespace {

torch::nn::LayerNorm MakeNorm(int64_t size) {
  return torch::nn::LayerNorm(torch::nn::LayerNormOptions({size}));
}

}  // namespace

TransformerEncoderLayerImpl::TransformerEncoderLayerImpl(
    TransformerEncoderOptions options)
    : options_(options) {
  if (options_.mlp_size == 0) options_.mlp_size = 4 * options_.hidden_size;
  reset();
}

void TransformerEncoderLayerImpl::reset() {
  norm1 = register_module("norm1", MakeNorm(options_.hidden_size));
  attention = register_module(
      "attention",
      MultiHeadAttention(options_.hidden_size, options_.num_heads));
  norm2 = register_module("norm2", MakeNorm(options_.hidden_size));
  linear1 = register_module("linear1",
                            Linear(options_.hidden_size, options_.mlp_size));
  linear2 = register_module("linear2",
                            Linear(options_.mlp_size, options_.hidden_size));
}

torch::Tensor TransformerEncoderLayerImpl::Dropout(
    const torch::Tensor& x, const TransformerEncoderCall& call) const {
  if (!is_training() || options_.dropout == 0) return x;
  const double keep = 1 - options_.dropout;
  torch::Tensor factor = torch::empty_like(x);
  call.generator.defined() ? factor.bernoulli_(keep, call.generator)
                           : factor.bernoulli_(keep);
  return x * factor.div_(keep);
}

torch::Tensor TransformerEncoderLayerImpl::forward(
    const torch::Tensor& x, const TransformerEncoderCall& call) {
  MultiHeadAttentionCall attend;
  attend.mask = call.mask;
  attend.recorder = call.recorder;
  const torch::Tensor middle = x + Dropout(attention(norm1(x), attend), call);
  return middle + Dropout(linear2(torch::gelu(linear1(norm2(middle)))), call);
}

TransformerEncoderImpl::TransformerEncoderImpl(
    TransformerEncoderOptions options)
    : options_(options) {
  reset();
}

void TransformerEncoderImpl::reset() {
  layers = register_module("layers", torch::nn::ModuleList());
  for (int64_t i = 0; i < options_.num_layers; ++i)
    layers->push_back(TransformerEncoderLayer(options_));
  norm = register_module("norm", MakeNorm(options_.hidden_size));
}

torch::Tensor TransformerEncoderImpl::forward(
    torch::Tensor x, const TransformerEncoderCall& call) {
  for (const auto& layer : *layers)
    x = layer->as<TransformerEncoderLayerImpl>()->forward(x, call);
  return norm(x);
}

}  // namespace keylens::nn
