#include "src/nn/inference/block.h"

#include "src/nn/inference/row_kernels.h"

namespace keylens::nn {
namespace {

// Branches count from 1: norm1, layer_scale1.
constexpr int kSelfBranch = 1;
constexpr int kCrossBranch = 2;

std::string Numbered(const std::string& prefix, const char* name, int branch) {
  return prefix + name + std::to_string(branch);
}

std::vector<float> LayerScale(const WeightSource& weights,
                              const std::string& prefix,
                              const BlockOptions& options, int branch) {
  if (options.layer_scale == 0) return {};
  return ReadWeight(weights, Numbered(prefix, "layer_scale", branch),
                    {options.hidden_size});
}

// What TransformerBlock calls its attentions.
std::string AttentionName(const BlockOptions& options,
                          AttentionBranch::Kind kind) {
  if (kind == AttentionBranch::Kind::kCross) return "cross_attention.";
  return options.cross_attention ? "self_attention." : "attention.";
}

int BranchOf(AttentionBranch::Kind kind) {
  return kind == AttentionBranch::Kind::kSelf ? kSelfBranch : kCrossBranch;
}

PackedLinear Projections(const WeightSource& weights, const std::string& prefix,
                         const BlockOptions& options,
                         const std::vector<const char*>& names, int64_t in) {
  std::vector<LinearSpec> layers;
  for (const char* name : names) {
    layers.push_back({prefix + name, in, options.num_heads * options.head_dim,
                      options.qkv_bias});
  }
  return {weights, layers};
}

PackedLinear QueriesAndMore(const WeightSource& weights,
                            const std::string& prefix,
                            const BlockOptions& options,
                            AttentionBranch::Kind kind) {
  const std::string attention = prefix + AttentionName(options, kind);
  if (kind == AttentionBranch::Kind::kCross) {
    return Projections(weights, attention, options, {"query"},
                       options.hidden_size);
  }
  return Projections(weights, attention, options, {"query", "key", "value"},
                     options.hidden_size);
}

}  // namespace

float* Rows(std::vector<float>& buffer, int64_t n, int64_t size) {
  const auto needed = static_cast<std::size_t>(n * size);
  if (buffer.size() < needed) buffer.resize(needed);
  return buffer.data();
}

BranchNorm::BranchNorm(const WeightSource& weights, const std::string& name,
                       const BlockOptions& options)
    : norm_(weights, name, options.hidden_size, options.eps),
      placement_(options.norm),
      size_(options.hidden_size) {}

const float* BranchNorm::Before(const float* x, int64_t n,
                                std::vector<float>& room) const {
  if (placement_ == NormPlacement::kPost) return x;
  float* normed = Rows(room, n, size_);
  norm_.Apply(x, n, normed);
  return normed;
}

void BranchNorm::After(float* x, int64_t n) const {
  if (placement_ == NormPlacement::kPost) norm_.Apply(x, n, x);
}

FeedForwardBranch::FeedForwardBranch(const WeightSource& weights,
                                     const std::string& prefix,
                                     const BlockOptions& options, int branch)
    : norm_(weights, Numbered(prefix, "norm", branch), options),
      linear1_(weights,
               {prefix + "linear1", options.hidden_size,
                (IsGated(options.activation) ? 2 : 1) * options.mlp_size,
                options.mlp_bias}),
      linear2_(weights,
               {prefix + "linear2", options.mlp_size, options.hidden_size,
                options.mlp_bias},
               LayerScale(weights, prefix, options, branch)),
      activation_(options.activation) {}

void FeedForwardBranch::Run(float* x, int64_t n,
                            InferenceBuffers& buffers) const {
  const float* rows = norm_.Before(x, n, buffers.normed);
  float* inner = Rows(buffers.inner, n, linear1_.out());
  linear1_.Apply(rows, n, inner);
  ActivateRows(inner, n, linear2_.in(), activation_);
  linear2_.Add(inner, n, x);
  norm_.After(x, n);
}

AttentionBranch::AttentionBranch(const WeightSource& weights,
                                 const std::string& prefix,
                                 const BlockOptions& options, Kind kind)
    : heads_(options.num_heads),
      head_dim_(options.head_dim),
      norm_(weights, Numbered(prefix, "norm", BranchOf(kind)), options),
      projections_(QueriesAndMore(weights, prefix, options, kind)),
      output_(weights,
              {prefix + AttentionName(options, kind) + "output",
               heads_ * head_dim_, options.hidden_size, options.output_bias},
              LayerScale(weights, prefix, options, BranchOf(kind))) {}

const float* AttentionBranch::Project(const float* x, int64_t n,
                                      InferenceBuffers& buffers) const {
  const float* rows = norm_.Before(x, n, buffers.normed);
  float* projected = Rows(buffers.projected, n, projections_.out());
  projections_.Apply(rows, n, projected);
  return projected;
}

void AttentionBranch::Join(float* x, int64_t n,
                           InferenceBuffers& buffers) const {
  output_.Add(buffers.attended.data(), n, x);
  norm_.After(x, n);
}

InferenceBlock::InferenceBlock(const WeightSource& weights,
                               const std::string& prefix,
                               const BlockOptions& options)
    : self(weights, prefix, options, AttentionBranch::Kind::kSelf),
      feed_forward(weights, prefix, options, options.cross_attention ? 3 : 2) {
  if (!options.cross_attention) return;
  constexpr auto kCross = AttentionBranch::Kind::kCross;
  cross.emplace(weights, prefix, options, kCross);
  memory.emplace(Projections(weights, prefix + AttentionName(options, kCross),
                             options, {"key", "value"}, options.memory_size));
}

InferenceStack::InferenceStack(const WeightSource& weights,
                               const std::string& prefix,
                               const BlockOptions& settled)
    : options(Settled(settled)) {
  for (int64_t i = 0; i < options.num_layers; ++i) {
    layers.emplace_back(weights, prefix + "layers." + std::to_string(i) + ".",
                        options);
  }
  if (options.final_norm)
    norm.emplace(weights, prefix + "norm", options.hidden_size, options.eps);
}

void InferenceStack::FinalNorm(float* x, int64_t n) const {
  if (norm) norm->Apply(x, n, x);
}

}  // namespace keylens::nn
