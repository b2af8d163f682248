#ifndef KEYLENS_SRC_NN_INFERENCE_DECODER_H_
#define KEYLENS_SRC_NN_INFERENCE_DECODER_H_

#include <keylens/key_value_cache.h>
#include <keylens/nn/block_options.h>

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "src/nn/inference/block.h"

namespace keylens::nn {

class DecoderInference;

// The sequences that a decoder is writing, and the sources they look at: keys
// and values of both, for every layer. Sequences are known by a number.
class DecodingState {
 public:
  // Computes the keys and values of the sources once: memory [offsets.back(),
  // memory_size] is what the encoder made of them, end to end.
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

// A TransformerDecoder that only runs forward: one position at a time, with
// keys and values kept by the engine, or all of one sequence at once. A
// sequence gets the same bits whatever is decoded beside it. One thread a call;
// calls with different states and buffers may go on in several threads at once.
class DecoderInference {
 public:
  // `prefix`: "decoder."; the names are those of the torch module's parameters.
  // `options` have cross-attention. Throws Error, naming file and tensor, where
  // one cannot be used.
  DecoderInference(const WeightSource& weights, const std::string& prefix,
                   const BlockOptions& options);

  // One more position of each of n sequences: x [n, hidden_size] is its input
  // and becomes the decoder's output. Sequence i is known to the state as
  // sequences[i] and looks at source sources[i], counted from 0. For causal
  // stacks.
  void Step(DecodingState& state, std::span<const int64_t> sequences,
            std::span<const int64_t> sources, float* x,
            InferenceBuffers& buffers) const;

  // All positions of one sequence at once, as forward does it: x [n,
  // hidden_size], in place. memory [memory_len, memory_size].
  DecoderWeights RunWithWeights(const float* memory, int64_t memory_len,
                                float* x, int64_t n,
                                InferenceBuffers& buffers) const;

  const BlockOptions& options() const { return stack_.options; }

 private:
  friend class DecodingState;

  // Keys and values of a sequence's next position into the cache, and what it
  // then sees.
  void StepSelf(const InferenceBlock& layer, KeyValueCache& cache,
                std::span<const int64_t> sequences, float* x,
                InferenceBuffers& buffers) const;
  void StepCross(const InferenceBlock& layer, const KeyValueCache& cache,
                 std::span<const int64_t> sources, float* x,
                 InferenceBuffers& buffers) const;

  InferenceStack stack_;
};

}  // namespace keylens::nn

#endif  // KEYLENS_SRC_NN_INFERENCE_DECODER_H_
