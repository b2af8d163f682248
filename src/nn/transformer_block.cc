#include <keylens/mask.h>
#include <keylens/nn/transformer_block.h>

#include <stdexcept>
#include <utility>

namespace keylens::nn {
namespace {

torch::nn::LayerNorm MakeLayerNorm(const BlockOptions& options) {
  return torch::nn::LayerNorm(
      torch::nn::LayerNormOptions({options.hidden_size}).eps(options.eps));
}

MultiHeadAttention MakeAttention(const BlockOptions& options,
                                 int64_t memory_size) {
  MultiHeadAttentionOptions attention;
  attention.hidden_size = options.hidden_size;
  attention.num_heads = options.num_heads;
  attention.head_dim = options.head_dim;
  attention.memory_size = memory_size;
  attention.qkv_bias = options.qkv_bias;
  attention.output_bias = options.output_bias;
  return MultiHeadAttention(attention);
}

torch::Tensor QuickGelu(const torch::Tensor& x) {
  return x * torch::sigmoid(1.702 * x);
}

torch::Tensor Activate(const torch::Tensor& x, Activation activation) {
  switch (activation) {
    case Activation::kRelu:
      return torch::relu(x);
    case Activation::kGelu:
      return torch::gelu(x);
    case Activation::kGeluTanh:
      return torch::gelu(x, "tanh");
    case Activation::kQuickGelu:
      return QuickGelu(x);
    case Activation::kSilu:
      return torch::silu(x);
    case Activation::kGeglu:
      return x.chunk(2, -1)[0] * torch::gelu(x.chunk(2, -1)[1]);
    case Activation::kSwiglu:
      return torch::silu(x.chunk(2, -1)[0]) * x.chunk(2, -1)[1];
  }
  throw std::invalid_argument("TransformerBlock: no such activation");
}

// A causal mask and another, which it keeps alive.
std::shared_ptr<const Mask> Causal(std::shared_ptr<const Mask> other) {
  std::shared_ptr<const Mask> causal =
      CausalMask(CausalAlignment::kBottomRight);
  if (other == nullptr) return causal;
  struct Both {
    std::shared_ptr<const Mask> causal, other;
    std::unique_ptr<Mask> mask;
  };
  auto both = std::make_shared<Both>(Both{causal, std::move(other), nullptr});
  both->mask = AllOf({both->causal.get(), both->other.get()});
  return {both, both->mask.get()};
}

void CheckRows(const TransformerCall& call, const BlockOptions& options,
               int64_t len) {
  const RowRange& rows = call.rows;
  if (rows.begin < 0 || rows.begin >= (rows.end < 0 ? len : rows.end) ||
      rows.end > len) {
    throw std::invalid_argument(
        "TransformerBlock: rows " + std::to_string(rows.begin) + " to " +
        std::to_string(rows.end) + " of a sequence of " + std::to_string(len));
  }
  if (call.sequences != nullptr || (options.causal && call.mask != nullptr)) {
    throw std::invalid_argument(
        "TransformerBlock: rows go neither with packed sequences nor with a "
        "mask of a causal layer");
  }
}

torch::Tensor RowsOf(const torch::Tensor& x, const RowRange& rows) {
  if (rows.all()) return x;
  const int64_t end = rows.end < 0 ? x.size(1) : rows.end;
  return x.narrow(1, rows.begin, end - rows.begin);
}

}  // namespace

TransformerBlockImpl::TransformerBlockImpl(BlockOptions options)
    : options_(Settled(options)) {
  reset();
}

void TransformerBlockImpl::reset() {
  const int64_t size = options_.hidden_size;
  const bool crosses = options_.cross_attention;
  const int64_t inner =
      options_.mlp_size * (IsGated(options_.activation) ? 2 : 1);
  norm1 = register_module("norm1", MakeLayerNorm(options_));
  attention = register_module(crosses ? "self_attention" : "attention",
                              MakeAttention(options_, size));
  norm2 = register_module("norm2", MakeLayerNorm(options_));
  if (crosses) {
    cross_attention = register_module(
        "cross_attention", MakeAttention(options_, options_.memory_size));
    norm3 = register_module("norm3", MakeLayerNorm(options_));
  }
  linear1 = register_module("linear1", Linear(size, inner, options_.mlp_bias));
  linear2 = register_module("linear2",
                            Linear(options_.mlp_size, size, options_.mlp_bias));
  if (options_.layer_scale == 0) return;
  const auto scale = [&](const char* name) {
    return register_parameter(name, torch::full({size}, options_.layer_scale));
  };
  layer_scale1 = scale("layer_scale1");
  layer_scale2 = scale("layer_scale2");
  if (crosses) layer_scale3 = scale("layer_scale3");
}

torch::Tensor TransformerBlockImpl::Input(torch::nn::LayerNorm& norm,
                                          const torch::Tensor& x,
                                          const TransformerCall& call) const {
  return (options_.norm == NormPlacement::kPre ? norm(x) : x)
      .to(call.branch_type);
}

torch::Tensor TransformerBlockImpl::Sum(torch::nn::LayerNorm& norm,
                                        const torch::Tensor& scale,
                                        const torch::Tensor& x,
                                        torch::Tensor branch,
                                        const DropoutDraw& draw) const {
  if (scale.defined()) branch = branch * scale.to(branch.scalar_type());
  const torch::Tensor sum = AddDropout(x, branch, draw);
  return options_.norm == NormPlacement::kPost ? norm(sum) : sum;
}

torch::Tensor TransformerBlockImpl::Attended(const torch::Tensor& x,
                                             const TransformerCall& call) {
  const torch::Tensor input = Input(norm1, x, call);
  MultiHeadAttentionCall attend;
  attend.mask = options_.causal ? Causal(call.mask) : call.mask;
  attend.sequences = call.sequences;
  attend.recorder = call.recorder;
  if (call.rows.all()) return attention(input, attend);
  CheckRows(call, options_, x.size(1));
  // A causal row sees none behind the range.
  attend.context = options_.causal && call.rows.end >= 0
                       ? input.narrow(1, 0, call.rows.end)
                       : input;
  return attention(RowsOf(input, call.rows), attend);
}

torch::Tensor TransformerBlockImpl::LookedAcross(const torch::Tensor& x,
                                                 const TransformerCall& call) {
  MultiHeadAttentionCall attend;
  attend.context = call.memory.to(call.branch_type);
  attend.mask = call.memory_mask;
  attend.sequences = call.memory_sequences;
  attend.recorder = call.recorder;
  return cross_attention(Input(norm2, x, call), attend);
}

torch::Tensor TransformerBlockImpl::FeedForward(const torch::Tensor& x) {
  return linear2(Activate(linear1(x), options_.activation));
}

torch::Tensor TransformerBlockImpl::forward(const torch::Tensor& x,
                                            const TransformerCall& call) {
  DropoutDraw draw{is_training() ? options_.dropout : 0, call.dropout_keys,
                   call.dropout_site};
  torch::Tensor state =
      Sum(norm1, layer_scale1, RowsOf(x, call.rows), Attended(x, call), draw);
  ++draw.site;
  const bool crosses = options_.cross_attention;
  if (crosses) {
    state = Sum(norm2, layer_scale2, state, LookedAcross(state, call), draw);
    ++draw.site;
  }
  torch::nn::LayerNorm& norm = crosses ? norm3 : norm2;
  return Sum(norm, crosses ? layer_scale3 : layer_scale2, state,
             FeedForward(Input(norm, state, call)), draw);
}

TransformerStackImpl::TransformerStackImpl(BlockOptions options)
    : options_(Settled(options)) {
  reset();
}

void TransformerStackImpl::reset() {
  layers = register_module("layers", torch::nn::ModuleList());
  for (int64_t i = 0; i < options_.num_layers; ++i)
    layers->push_back(TransformerBlock(options_));
  if (options_.final_norm)
    norm = register_module("norm", MakeLayerNorm(options_));
}

torch::Tensor TransformerStackImpl::forward(torch::Tensor x,
                                            const TransformerCall& call) {
  TransformerCall layer_call = call;
  // Rounded once for all layers.
  if (call.memory.defined())
    layer_call.memory = call.memory.to(call.branch_type);
  layer_call.rows = {};
  for (std::size_t i = 0; i < layers->size(); ++i) {
    if (i + 1 == layers->size()) layer_call.rows = call.rows;
    x = layers[i]->as<TransformerBlockImpl>()->forward(x, layer_call);
    layer_call.dropout_site += options_.cross_attention ? 3 : 2;
  }
  return options_.final_norm ? norm(x) : x;
}

}  // namespace keylens::nn
