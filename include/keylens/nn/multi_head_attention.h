#ifndef KEYLENS_NN_MULTI_HEAD_ATTENTION_H_
#define KEYLENS_NN_MULTI_HEAD_ATTENTION_H_

#include <keylens/mask.h>
#include <keylens/nn/attention.h>
#include <keylens/nn/attention_recorder.h>
#include <keylens/nn/linear.h>
#include <torch/torch.h>

#include <memory>
#include <tuple>

namespace keylens::nn {

// What a call may add to the sequence it attends from.
struct MultiHeadAttentionCall {
  torch::Tensor context;  // [batch, kv_len, hidden_size] to attend to;
                          // undefined: self-attention
  std::shared_ptr<const Mask> mask;                // null: every key is live
  std::shared_ptr<const PackedOffsets> sequences;  // null: a batch
  AttentionRecorder* recorder = nullptr;  // null: weights are not recorded
};

// Several heads of size hidden_size / num_heads, concatenated, and an output
// projection.
//
// Parameters: query, key, value, output, each {weight [hidden_size,
// hidden_size], bias [hidden_size]}; rows h * head_size to (h + 1) * head_size
// of the first three belong to head h.
class MultiHeadAttentionImpl
    : public torch::nn::Cloneable<MultiHeadAttentionImpl>,
      public RecordedLayer {
 public:
  // Throws std::invalid_argument unless num_heads divides hidden_size.
  MultiHeadAttentionImpl(int64_t hidden_size, int64_t num_heads,
                         bool bias = true);
  void reset() override;

  // x [batch, query_len, hidden_size], float32 or bfloat16 -> the same shape
  // and type. Scores and weights are float32's for both.
  torch::Tensor forward(const torch::Tensor& x,
                        MultiHeadAttentionCall call = {});

  // The same output, and the weights [batch, num_heads, query_len, kv_len],
  // which carry no gradient.
  std::tuple<torch::Tensor, torch::Tensor> forward_with_weights(
      const torch::Tensor& x, MultiHeadAttentionCall call = {});

  Linear query = nullptr, key = nullptr, value = nullptr, output = nullptr;

 private:
  torch::Tensor Attend(const torch::Tensor& x,
                       const MultiHeadAttentionCall& call,
                       AttentionReport* report);

  // [batch, len, hidden_size] seen as [batch, num_heads, len, head_size]; no
  // copy.
  torch::Tensor Heads(const torch::Tensor& x) const;

  int64_t hidden_size_, num_heads_;
  bool bias_;
};
TORCH_MODULE(MultiHeadAttention);

}  // namespace keylens::nn

#endif  // KEYLENS_NN_MULTI_HEAD_ATTENTION_H_
