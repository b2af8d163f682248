#ifndef KEYLENS_SRC_NN_INFERENCE_ENCODER_H_
#define KEYLENS_SRC_NN_INFERENCE_ENCODER_H_

#include <cstdint>
#include <span>
#include <vector>

#include "src/nn/inference/block.h"

namespace keylens::nn {

class TransformerEncoderImpl;
struct TransformerEncoderOptions;

// A TransformerEncoder that only runs forward: weights copied and packed once,
// sentences of any lengths end to end, each with the bits that it would get
// alone. One thread a call; calls may go on in several threads at once.
class EncoderInference {
 public:
  // `options` are those that `encoder` was made with.
  EncoderInference(const TransformerEncoderImpl& encoder,
                   const TransformerEncoderOptions& options);

  // x [offsets.back(), hidden_size], in place: what the encoder's forward makes
  // of each sentence s, the rows [offsets[s], offsets[s + 1]).
  void Run(float* x, std::span<const int64_t> offsets,
           InferenceBuffers& buffers) const;

  // The same for one sentence of n rows, with the weights of each layer.
  std::vector<AttentionWeights> RunWithWeights(float* x, int64_t n,
                                               InferenceBuffers& buffers) const;

 private:
  struct Layer {
    AttentionBlock attention;
    FeedForwardBlock feed_forward;
  };

  int64_t num_heads_;
  std::vector<Layer> layers_;
  PackedNorm norm_;
};

}  // namespace keylens::nn

#endif  // KEYLENS_SRC_NN_INFERENCE_ENCODER_H_
