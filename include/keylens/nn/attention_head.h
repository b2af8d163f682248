#ifndef KEYLENS_NN_ATTENTION_HEAD_H_
#define KEYLENS_NN_ATTENTION_HEAD_H_

#include <keylens/nn/attention_recorder.h>
#include <keylens/nn/linear.h>
#include <torch/torch.h>

#include <tuple>

namespace keylens::nn {

// One head of attention over a sequence: weights = softmax(q k^T /
// sqrt(attention_head_size)), output = weights v.
//
// Parameters: query, key, value, each {weight [attention_head_size,
// hidden_size], bias [attention_head_size]}.
class AttentionHeadImpl : public torch::nn::Cloneable<AttentionHeadImpl>,
                          public RecordedLayer {
 public:
  AttentionHeadImpl(int64_t hidden_size, int64_t attention_head_size,
                    bool bias = true);
  void reset() override;

  // x [batch, len, hidden_size] -> output [batch, len, attention_head_size],
  // weights [batch, len, len], which carry no gradient.
  std::tuple<torch::Tensor, torch::Tensor> forward(
      const torch::Tensor& x, AttentionRecorder* recorder = nullptr);

  Linear query = nullptr, key = nullptr, value = nullptr;

 private:
  int64_t hidden_size_, attention_head_size_;
  bool bias_;
};
TORCH_MODULE(AttentionHead);

}  // namespace keylens::nn

#endif  // KEYLENS_NN_ATTENTION_HEAD_H_
