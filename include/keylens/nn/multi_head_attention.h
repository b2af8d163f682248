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
  torch::Tensor context;  // [batch, kv_len, memory_size] to attend to;
                          // undefined: self-attention
  std::shared_ptr<const Mask> mask;                // null: every key is live
  std::shared_ptr<const PackedOffsets> sequences;  // null: a batch
  AttentionRecorder* recorder = nullptr;  // null: weights are not recorded
};

struct MultiHeadAttentionOptions {
  int64_t hidden_size = 0;
  int64_t num_heads = 0;
  int64_t head_dim = 0;     // 0: hidden_size / num_heads
  int64_t memory_size = 0;  // columns of a context; 0: hidden_size
  bool qkv_bias = true;     // of queries, keys and values
  bool output_bias = true;
};

// Several heads of size head_dim, concatenated, and an output projection.
//
// Parameters: query, key, value, output, each with a weight and a bias: query
// [num_heads * head_dim, hidden_size], key and value [num_heads * head_dim,
// memory_size], output [hidden_size, num_heads * head_dim]; rows h * head_dim
// to (h + 1) * head_dim of the first three belong to head h.
class MultiHeadAttentionImpl
    : public torch::nn::Cloneable<MultiHeadAttentionImpl>,
      public RecordedLayer {
 public:
  // Throws std::invalid_argument unless num_heads divides hidden_size or
  // head_dim is given.
  explicit MultiHeadAttentionImpl(MultiHeadAttentionOptions options);
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

  // [batch, len, num_heads * head_dim] seen as [batch, num_heads, len,
  // head_dim]; no copy.
  torch::Tensor Heads(const torch::Tensor& x) const;

  MultiHeadAttentionOptions options_;
};
TORCH_MODULE(MultiHeadAttention);

}  // namespace keylens::nn

#endif  // KEYLENS_NN_MULTI_HEAD_ATTENTION_H_
