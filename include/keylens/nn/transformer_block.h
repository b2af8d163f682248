#ifndef KEYLENS_NN_TRANSFORMER_BLOCK_H_
#define KEYLENS_NN_TRANSFORMER_BLOCK_H_

#include <keylens/nn/block_options.h>
#include <keylens/nn/linear.h>
#include <keylens/nn/multi_head_attention.h>
#include <keylens/nn/residual_dropout.h>
#include <torch/torch.h>

#include <cstdint>
#include <memory>

namespace keylens::nn {

// What a call of a layer or a stack may add to its input.
struct TransformerCall {
  std::shared_ptr<const Mask> mask;       // of self-attention; null: every
                                          // position is live
  AttentionRecorder* recorder = nullptr;  // null: weights are not recorded

  // What cross-attention looks at: [batch, memory_len, memory_size], as an
  // encoder gives it.
  torch::Tensor memory;
  std::shared_ptr<const Mask> memory_mask;  // null: all of it is live

  // Sequences end to end in a batch of one, and those of x beside those of the
  // memory; null: a batch of one length each.
  std::shared_ptr<const PackedOffsets> sequences, memory_sequences;

  // The rows of each sequence that are wanted of the last layer, which is run
  // for them alone: the result has no others. Not with `sequences`, nor with
  // a mask of a causal layer.
  RowRange rows;

  // Of the branches: float32, or bfloat16 for products that take half the time.
  // What they are added to stays float32.
  torch::ScalarType branch_type = torch::kFloat32;

  // int64, one for each position of the batch, and the number of the first
  // branch; see DropoutDraw.
  torch::Tensor dropout_keys;
  uint64_t dropout_site = 0;
};

// One layer of a Transformer, as BlockOptions describe it.
//
// Parameters: norm1, attention.{query, key, value, output}, norm2, linear1,
// linear2; with cross-attention norm1, self_attention, norm2, cross_attention,
// norm3, linear1, linear2; and layer_scale1, layer_scale2 (, layer_scale3),
// [hidden_size], where there are such, one for each branch.
class TransformerBlockImpl : public torch::nn::Cloneable<TransformerBlockImpl> {
 public:
  explicit TransformerBlockImpl(BlockOptions options);
  void reset() override;

  // x [batch, len, hidden_size] -> the same shape, or call.rows of it.
  torch::Tensor forward(const torch::Tensor& x,
                        const TransformerCall& call = {});

  // linear2(activation(linear1(x))), without normalisation.
  torch::Tensor FeedForward(const torch::Tensor& x);

  const BlockOptions& options() const { return options_; }

  torch::nn::LayerNorm norm1 = nullptr, norm2 = nullptr, norm3 = nullptr;
  MultiHeadAttention attention = nullptr, cross_attention = nullptr;
  Linear linear1 = nullptr, linear2 = nullptr;
  torch::Tensor layer_scale1, layer_scale2, layer_scale3;

 private:
  // What a branch is made of: x, or its normalised rows.
  torch::Tensor Input(torch::nn::LayerNorm& norm, const torch::Tensor& x,
                      const TransformerCall& call) const;
  // x and the branch together.
  torch::Tensor Sum(torch::nn::LayerNorm& norm, const torch::Tensor& scale,
                    const torch::Tensor& x, torch::Tensor branch,
                    const DropoutDraw& draw) const;
  torch::Tensor Attended(const torch::Tensor& x, const TransformerCall& call);
  torch::Tensor LookedAcross(const torch::Tensor& x,
                             const TransformerCall& call);

  BlockOptions options_;
};
TORCH_MODULE(TransformerBlock);

// A stack of layers and, as a rule, a last normalisation. Parameters: layers.0,
// layers.1, ..., norm.
class TransformerStackImpl : public torch::nn::Cloneable<TransformerStackImpl> {
 public:
  explicit TransformerStackImpl(BlockOptions options);
  void reset() override;

  // x [batch, len, hidden_size] -> the same shape, or call.rows of it.
  torch::Tensor forward(torch::Tensor x, const TransformerCall& call = {});

  const BlockOptions& options() const { return options_; }

  torch::nn::ModuleList layers = nullptr;
  torch::nn::LayerNorm norm = nullptr;

 private:
  BlockOptions options_;
};
TORCH_MODULE(TransformerStack);

}  // namespace keylens::nn

#endif  // KEYLENS_NN_TRANSFORMER_BLOCK_H_
