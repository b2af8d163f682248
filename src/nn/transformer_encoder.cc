#include <keylens/nn/residual_dropout.h>
#include <keylens/nn/transformer_encoder.h>

#include "src/nn/transformer_block.h"

namespace keylens::nn {
namespace {

constexpr uint64_t kBranchesOfEncoder = 2;  // of a layer

MultiHeadAttentionCall AttentionCallOf(const TransformerEncoderCall& call) {
  MultiHeadAttentionCall attend;
  attend.mask = call.mask;
  attend.sequences = call.sequences;
  attend.recorder = call.recorder;
  return attend;
}

}  // namespace

TransformerEncoderLayerImpl::TransformerEncoderLayerImpl(
    TransformerEncoderOptions options)
    : options_(options) {
  if (options_.mlp_size == 0) options_.mlp_size = 4 * options_.hidden_size;
  reset();
}

void TransformerEncoderLayerImpl::reset() {
  norm1 = register_module("norm1", MakeLayerNorm(options_.hidden_size));
  attention = register_module(
      "attention",
      MultiHeadAttention(options_.hidden_size, options_.num_heads));
  norm2 = register_module("norm2", MakeLayerNorm(options_.hidden_size));
  linear1 = register_module("linear1",
                            Linear(options_.hidden_size, options_.mlp_size));
  linear2 = register_module("linear2",
                            Linear(options_.mlp_size, options_.hidden_size));
}

torch::Tensor TransformerEncoderLayerImpl::forward(
    const torch::Tensor& x, const TransformerEncoderCall& call) {
  DropoutDraw draw{is_training() ? options_.dropout : 0, call.dropout_keys,
                   call.dropout_site};
  const torch::Tensor attended =
      attention(norm1(x).to(call.branch_type), AttentionCallOf(call));
  const torch::Tensor middle = AddDropout(x, attended, draw);
  ++draw.site;
  const torch::Tensor inner = linear1(norm2(middle).to(call.branch_type));
  return AddDropout(middle, linear2(Activate(inner, options_.activation)),
                    draw);
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
  norm = register_module("norm", MakeLayerNorm(options_.hidden_size));
}

torch::Tensor TransformerEncoderImpl::forward(
    torch::Tensor x, const TransformerEncoderCall& call) {
  TransformerEncoderCall layer_call = call;
  for (const auto& layer : *layers) {
    x = layer->as<TransformerEncoderLayerImpl>()->forward(x, layer_call);
    layer_call.dropout_site += kBranchesOfEncoder;
  }
  return norm(x);
}

}  // namespace keylens::nn
