#include <keylens/mask.h>
#include <keylens/nn/residual_dropout.h>
#include <keylens/nn/transformer_decoder.h>

#include "src/nn/transformer_block.h"

namespace keylens::nn {
namespace {

constexpr uint64_t kBranchesOfDecoder = 3;  // of a layer

MultiHeadAttentionCall SelfAttentionCall(const TransformerDecoderCall& call) {
  MultiHeadAttentionCall attend;
  attend.mask = CausalMask(CausalAlignment::kTopLeft);
  attend.sequences = call.self_sequences;
  attend.recorder = call.recorder;
  return attend;
}

MultiHeadAttentionCall CrossAttentionCall(const TransformerDecoderCall& call) {
  MultiHeadAttentionCall attend;
  attend.context = call.memory.to(call.branch_type);
  attend.mask = call.memory_mask;
  attend.sequences = call.cross_sequences;
  attend.recorder = call.recorder;
  return attend;
}

}  // namespace

TransformerDecoderLayerImpl::TransformerDecoderLayerImpl(
    TransformerDecoderOptions options)
    : options_(options) {
  if (options_.mlp_size == 0) options_.mlp_size = 4 * options_.hidden_size;
  reset();
}

void TransformerDecoderLayerImpl::reset() {
  const int64_t size = options_.hidden_size, heads = options_.num_heads;
  norm1 = register_module("norm1", MakeLayerNorm(size));
  self_attention =
      register_module("self_attention", MultiHeadAttention(size, heads));
  norm2 = register_module("norm2", MakeLayerNorm(size));
  cross_attention =
      register_module("cross_attention", MultiHeadAttention(size, heads));
  norm3 = register_module("norm3", MakeLayerNorm(size));
  linear1 = register_module("linear1", Linear(size, options_.mlp_size));
  linear2 = register_module("linear2", Linear(options_.mlp_size, size));
}

torch::Tensor TransformerDecoderLayerImpl::FeedForward(const torch::Tensor& x) {
  return linear2(Activate(linear1(x), options_.activation));
}

torch::Tensor TransformerDecoderLayerImpl::forward(
    const torch::Tensor& x, const TransformerDecoderCall& call) {
  const auto type = call.branch_type;
  DropoutDraw draw{is_training() ? options_.dropout : 0, call.dropout_keys,
                   call.dropout_site};
  const torch::Tensor looked_back = AddDropout(
      x, self_attention(norm1(x).to(type), SelfAttentionCall(call)), draw);
  ++draw.site;
  const torch::Tensor looked_across = AddDropout(
      looked_back,
      cross_attention(norm2(looked_back).to(type), CrossAttentionCall(call)),
      draw);
  ++draw.site;
  return AddDropout(looked_across, FeedForward(norm3(looked_across).to(type)),
                    draw);
}

TransformerDecoderImpl::TransformerDecoderImpl(
    TransformerDecoderOptions options)
    : options_(options) {
  reset();
}

void TransformerDecoderImpl::reset() {
  layers = register_module("layers", torch::nn::ModuleList());
  for (int64_t i = 0; i < options_.num_layers; ++i)
    layers->push_back(TransformerDecoderLayer(options_));
  norm = register_module("norm", MakeLayerNorm(options_.hidden_size));
}

torch::Tensor TransformerDecoderImpl::forward(
    torch::Tensor x, const TransformerDecoderCall& call) {
  TransformerDecoderCall layer_call = call;
  // Rounded once for all layers.
  layer_call.memory = call.memory.to(call.branch_type);
  for (const auto& layer : *layers) {
    x = layer->as<TransformerDecoderLayerImpl>()->forward(x, layer_call);
    layer_call.dropout_site += kBranchesOfDecoder;
  }
  return norm(x);
}

}  // namespace keylens::nn
