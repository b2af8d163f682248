#ifndef KEYLENS_NN_TRANSFORMER_DECODER_H_
#define KEYLENS_NN_TRANSFORMER_DECODER_H_

#include <keylens/nn/linear.h>
#include <keylens/nn/multi_head_attention.h>
#include <keylens/nn/transformer_encoder.h>
#include <torch/torch.h>

#include <cstdint>
#include <memory>

namespace keylens::nn {

using TransformerDecoderOptions = TransformerEncoderOptions;

struct TransformerDecoderCall {
  // What cross-attention looks at: [batch, memory_len, hidden_size], as an
  // encoder gives it.
  torch::Tensor memory;
  std::shared_ptr<const Mask> memory_mask;  // null: all of it is live
  AttentionRecorder* recorder = nullptr;    // null: weights are not recorded

  // Sequences end to end in a batch of one, targets and memories; null: a
  // batch of one length each.
  std::shared_ptr<const PackedOffsets> self_sequences, cross_sequences;

  // As TransformerEncoderCall has them.
  torch::ScalarType branch_type = torch::kFloat32;
  torch::Tensor dropout_keys;
  uint64_t dropout_site = 0;
};

// x + self_attention(norm1(x)), where position i sees 0 to i; then
// x + cross_attention(norm2(x), memory); then
// x + linear2(activation(linear1(norm3(x)))): the pre-norm block.
//
// Parameters: norm1, self_attention.{query, key, value, output}, norm2,
// cross_attention.{query, key, value, output}, norm3, linear1, linear2.
class TransformerDecoderLayerImpl
    : public torch::nn::Cloneable<TransformerDecoderLayerImpl> {
 public:
  explicit TransformerDecoderLayerImpl(TransformerDecoderOptions options);
  void reset() override;

  // x [batch, len, hidden_size] -> the same shape.
  torch::Tensor forward(const torch::Tensor& x,
                        const TransformerDecoderCall& call);

  // linear2(activation(linear1(x))), for x that is normalised already.
  torch::Tensor FeedForward(const torch::Tensor& x);

  torch::nn::LayerNorm norm1 = nullptr, norm2 = nullptr, norm3 = nullptr;
  MultiHeadAttention self_attention = nullptr, cross_attention = nullptr;
  Linear linear1 = nullptr, linear2 = nullptr;

 private:
  TransformerDecoderOptions options_;
};
TORCH_MODULE(TransformerDecoderLayer);

// A stack of layers and a last normalisation. Parameters: layers.0, layers.1,
// ..., norm.
class TransformerDecoderImpl
    : public torch::nn::Cloneable<TransformerDecoderImpl> {
 public:
  explicit TransformerDecoderImpl(TransformerDecoderOptions options);
  void reset() override;

  // x [batch, len, hidden_size] -> the same shape.
  torch::Tensor forward(torch::Tensor x, const TransformerDecoderCall& call);

  torch::nn::ModuleList layers = nullptr;
  torch::nn::LayerNorm norm = nullptr;

 private:
  TransformerDecoderOptions options_;
};
TORCH_MODULE(TransformerDecoder);

}  // namespace keylens::nn

#endif  // KEYLENS_NN_TRANSFORMER_DECODER_H_
