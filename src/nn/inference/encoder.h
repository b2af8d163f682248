#ifndef KEYLENS_SRC_NN_INFERENCE_ENCODER_H_
#define KEYLENS_SRC_NN_INFERENCE_ENCODER_H_

#include <keylens/nn/block_options.h>

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "src/nn/inference/block.h"

namespace keylens::nn {

// A TransformerEncoder that only runs forward: weights packed once, sequences
// of any lengths end to end, each with the bits that it would get alone. One
// thread a call; calls may go on in several threads at once.
class EncoderInference {
 public:
  // `prefix`: "encoder."; the names are those of the torch module's parameters.
  // Throws Error, naming file and tensor, where one cannot be used.
  EncoderInference(const WeightSource& weights, const std::string& prefix,
                   const BlockOptions& options);

  // x [offsets.back(), hidden_size], in place: what the encoder's forward makes
  // of each sequence s, the rows [offsets[s], offsets[s + 1]).
  //
  // `rows`: those of each sequence that are wanted of the last layer, which is
  // run for them alone; x then begins with them, sequence by sequence. Throws
  // std::invalid_argument where a sequence does not have them.
  void Run(float* x, std::span<const int64_t> offsets,
           InferenceBuffers& buffers, const RowRange& rows = {}) const;

  // The same for one sequence of n rows, with the weights of each layer; of the
  // last one those of `rows`.
  std::vector<AttentionWeights> RunWithWeights(float* x, int64_t n,
                                               InferenceBuffers& buffers,
                                               const RowRange& rows = {}) const;

  const BlockOptions& options() const { return stack_.options; }

 private:
  // All rows of a layer.
  void RunLayer(const InferenceBlock& layer, float* x,
                std::span<const int64_t> offsets,
                InferenceBuffers& buffers) const;
  // A range of each sequence's; returns how many there are.
  int64_t RunRows(const InferenceBlock& layer, float* x,
                  std::span<const int64_t> offsets, const RowRange& rows,
                  InferenceBuffers& buffers, AttentionWeights* weights) const;

  InferenceStack stack_;
};

}  // namespace keylens::nn

#endif  // KEYLENS_SRC_NN_INFERENCE_ENCODER_H_
