#ifndef KEYLENS_SRC_NN_INFERENCE_DECODER_H_
#define KEYLENS_SRC_NN_INFERENCE_DECODER_H_

#include <keylens/key_value_cache.h>

#include <cstdint>
#include <span>
#include <vector>

#include "src/nn/inference/block.h"

namespace keylens::nn {

class TransformerDecoderImpl;
struct TransformerEncoderOptions;

class DecoderInference;

// The sequences that a decoder is writing, and the sources they look at: keys
// and values of both, for every layer. Sequences are known by a number.
class DecodingState {
 public:
  // Computes the keys and values of the sources once: memory [offsets.back(),
  // hidden_size] is what the encoder made of them, end to end.
  DecodingState(const DecoderInference& decoder, const float* memory,
                std::span<const int64_t> offsets);

  // A new sequence without positions, or with those of `sequence`; as a rule a
  // fork copies nothing but the last few positions.
  int64_t Add();
  int64_t Fork(int64_t sequence);
  void Remove(int64_t sequence);

 private:
  friend class DecoderInference;

  std::vector<KeyValueCache> self_, cross_;  // one for each layer
  std::vector<int64_t> sources_;             // their numbers in cross_
};

// What a decoder sees of itself and of its source while it writes one
// sequence: weights of each layer.
struct DecoderWeights {
  std::vector<AttentionWeights> self, cross;
};

// A TransformerDecoder that only runs forward, one position at a time, with
// keys and values kept by the engine. A sequence gets the same bits whatever is
// decoded beside it. One thread a call; calls with different states and buffers
// may go on in several threads at once.
class DecoderInference {
 public:
  // `options` are those that `decoder` was made with.
  DecoderInference(const TransformerDecoderImpl& decoder,
                   const TransformerEncoderOptions& options);

  // One more position of each of n sequences: x [n, hidden_size] is its input
  // and becomes the decoder's output. Sequence i is known to the state as
  // sequences[i] and looks at source sources[i], counted from 0.
  void Step(DecodingState& state, std::span<const int64_t> sequences,
            std::span<const int64_t> sources, float* x,
            InferenceBuffers& buffers) const;

  // All positions of one sequence at once, as forward does it: x [n,
  // hidden_size], in place. memory [memory_len, hidden_size].
  DecoderWeights RunWithWeights(const float* memory, int64_t memory_len,
                                float* x, int64_t n,
                                InferenceBuffers& buffers) const;

  int64_t hidden_size() const { return hidden_size_; }
  int64_t num_heads() const { return num_heads_; }

 private:
  friend class DecodingState;

  struct Layer {
    AttentionBlock self;
    AttentionBlock cross;
    PackedLinear memory;  // to the keys and values of cross-attention
    FeedForwardBlock feed_forward;
  };

  // [n, hidden_size] as the heads of a batch of n sequences with one position
  // each.
  template <typename T>
  TensorView<T, 4> BatchView(T* rows, int64_t n, int64_t row_stride) const;
  AttentionInputs<float> CrossViews(const float* query, int64_t n,
                                    const float* keys_and_values,
                                    int64_t memory_len) const;

  int64_t hidden_size_, num_heads_;
  std::vector<Layer> layers_;
  PackedNorm norm_;
};

}  // namespace keylens::nn

#endif  // KEYLENS_SRC_NN_INFERENCE_DECODER_H_
