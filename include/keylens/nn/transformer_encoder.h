#ifndef KEYLENS_NN_TRANSFORMER_ENCODER_H_
#define KEYLENS_NN_TRANSFORMER_ENCODER_H_

#include <keylens/nn/linear.h>
#include <keylens/nn/multi_head_attention.h>
#include <torch/torch.h>

#include <cstdint>
#include <memory>

namespace keylens::nn {

enum class Activation { kGelu, kRelu };

struct TransformerEncoderOptions {
  int64_t hidden_size = 0;
  int64_t num_heads = 0;
  int64_t mlp_size = 0;    // 0: 4 * hidden_size
  int64_t num_layers = 0;  // of a stack; a single layer ignores it
  double dropout = 0;      // of all branches, while training
  Activation activation = Activation::kGelu;
};

struct TransformerEncoderCall {
  std::shared_ptr<const Mask> mask;       // null: every position is live
  AttentionRecorder* recorder = nullptr;  // null: weights are not recorded

  // Sequences end to end in a batch of one; null: a batch of one length.
  std::shared_ptr<const PackedOffsets> sequences;

  // Of the branches: float32, or bfloat16 for products that take half the time.
  // What they are added to stays float32.
  torch::ScalarType branch_type = torch::kFloat32;

  // int64, one for each position of the batch, and the number of the first
  // branch; see DropoutDraw.
  torch::Tensor dropout_keys;
  uint64_t dropout_site = 0;
};

// x + attention(norm1(x)), then x + linear2(activation(linear1(norm2(x)))): the
// pre-norm block.
//
// Parameters: norm1, attention.{query, key, value, output}, norm2, linear1,
// linear2.
class TransformerEncoderLayerImpl
    : public torch::nn::Cloneable<TransformerEncoderLayerImpl> {
 public:
  explicit TransformerEncoderLayerImpl(TransformerEncoderOptions options);
  void reset() override;

  // x [batch, len, hidden_size] -> the same shape.
  torch::Tensor forward(const torch::Tensor& x,
                        const TransformerEncoderCall& call = {});

  torch::nn::LayerNorm norm1 = nullptr, norm2 = nullptr;
  MultiHeadAttention attention = nullptr;
  Linear linear1 = nullptr, linear2 = nullptr;

 private:
  TransformerEncoderOptions options_;
};
TORCH_MODULE(TransformerEncoderLayer);

// A stack of layers and a last normalisation. Parameters: layers.0, layers.1,
// ..., norm.
class TransformerEncoderImpl
    : public torch::nn::Cloneable<TransformerEncoderImpl> {
 public:
  explicit TransformerEncoderImpl(TransformerEncoderOptions options);
  void reset() override;

  // x [batch, len, hidden_size] -> the same shape.
  torch::Tensor forward(torch::Tensor x,
                        const TransformerEncoderCall& call = {});

  torch::nn::ModuleList layers = nullptr;
  torch::nn::LayerNorm norm = nullptr;

 private:
  TransformerEncoderOptions options_;
};
TORCH_MODULE(TransformerEncoder);

}  // namespace keylens::nn

#endif  // KEYLENS_NN_TRANSFORMER_ENCODER_H_
