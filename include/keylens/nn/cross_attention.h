#ifndef KEYLENS_NN_CROSS_ATTENTION_H_
#define KEYLENS_NN_CROSS_ATTENTION_H_

#include <keylens/nn/attention_recorder.h>
#include <keylens/nn/conv2d.h>
#include <keylens/nn/linear.h>
#include <torch/torch.h>

#include <vector>

namespace keylens::nn {

// Attention from the positions of a feature map to a text.
//
// Parameters: to_q.weight [heads * dim_head, dim, 1, 1]; to_k.weight and
// to_v.weight [heads * dim_head, context_dim]; to_out.weight [dim, heads *
// dim_head, 1, 1] and to_out.bias [dim].
class CrossAttentionImpl : public torch::nn::Cloneable<CrossAttentionImpl>,
                           public RecordedLayer {
 public:
  CrossAttentionImpl(int64_t dim, int64_t context_dim, int64_t heads = 4,
                     int64_t dim_head = 32);
  void reset() override;

  // x [b, dim, h, w], contiguous or channels_last, float32 or bfloat16; context
  // [b, len, context_dim]; live_lengths: in text i the first live_lengths[i]
  // tokens count (b entries; empty: all tokens of all texts).
  // -> the shape, type and memory format of x. Recorded weights: [b, heads, h *
  // w, len].
  torch::Tensor forward(const torch::Tensor& x, const torch::Tensor& context,
                        const std::vector<int64_t>& live_lengths = {},
                        AttentionRecorder* recorder = nullptr);

  Conv2d to_q = nullptr, to_out = nullptr;
  Linear to_k = nullptr, to_v = nullptr;

 private:
  int64_t dim_, context_dim_, heads_, dim_head_;
};
TORCH_MODULE(CrossAttention);

}  // namespace keylens::nn

#endif  // KEYLENS_NN_CROSS_ATTENTION_H_
