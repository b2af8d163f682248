#ifndef KEYLENS_NN_SPATIAL_ATTENTION_H_
#define KEYLENS_NN_SPATIAL_ATTENTION_H_

#include <keylens/nn/attention_recorder.h>
#include <keylens/nn/conv2d.h>
#include <torch/torch.h>

namespace keylens::nn {

// Attention among the positions of a feature map; queries are scaled by
// dim_head^-0.5.
//
// Parameters: to_qkv.weight [3 * heads * dim_head, dim, 1, 1], to_out.weight
// [dim, heads * dim_head, 1, 1], to_out.bias [dim]. The channels of to_qkv are
// all queries, all keys, all values, each head's together.
class SpatialAttentionImpl : public torch::nn::Cloneable<SpatialAttentionImpl>,
                             public RecordedLayer {
 public:
  explicit SpatialAttentionImpl(int64_t dim, int64_t heads = 4,
                                int64_t dim_head = 32);
  void reset() override;

  // x [b, dim, h, w], contiguous or channels_last -> the same shape, type and
  // memory format. A bfloat16 map is convolved as such; the attention is
  // float32.
  torch::Tensor forward(const torch::Tensor& x,
                        AttentionRecorder* recorder = nullptr);

  Conv2d to_qkv = nullptr, to_out = nullptr;

 private:
  int64_t dim_, heads_, dim_head_;
};
TORCH_MODULE(SpatialAttention);

}  // namespace keylens::nn

#endif  // KEYLENS_NN_SPATIAL_ATTENTION_H_
