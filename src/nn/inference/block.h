#ifndef KEYLENS_SRC_NN_INFERENCE_BLOCK_H_
#define KEYLENS_SRC_NN_INFERENCE_BLOCK_H_

#include <keylens/tensor_view.h>

#include <cstdint>
#include <vector>

#include "src/nn/inference/packed_layers.h"

// What the layers of an encoder and of a decoder have in common, in inference.

namespace keylens::nn {

class MultiHeadAttentionImpl;
enum class Activation;

// The weights of one attention on one pair of sequences.
struct AttentionWeights {
  int64_t heads = 0, query_len = 0, kv_len = 0;
  std::vector<float> values;  // [heads, query_len, kv_len]
};

// Rows [n, heads * dim], `row_stride` floats apart, seen as heads.
template <typename T>
TensorView<T, 4> HeadsOfRows(T* rows, int64_t n, int64_t heads, int64_t dim,
                             int64_t row_stride) {
  return {rows, {1, heads, n, dim}, {0, dim, row_stride, 1}};
}

// Memory that calls share instead of asking for their own; it grows to what the
// largest took. One for each thread.
struct InferenceBuffers {
  std::vector<float> normed, projected, attended, inner;
};

// x + linear2(activation(linear1(norm(x)))), in place.
class FeedForwardBlock {
 public:
  FeedForwardBlock(const torch::nn::LayerNormImpl& norm,
                   const LinearImpl& linear1, const LinearImpl& linear2,
                   Activation activation);

  void Run(float* x, int64_t n, InferenceBuffers& buffers) const;

 private:
  PackedNorm norm_;
  PackedLinear linear1_, linear2_;
  Activation activation_;
};

// x + output(attend(projections(norm(x)))), in place; the attention itself is
// the caller's. Self-attention projects to queries, keys and values side by
// side, cross-attention to queries.
class AttentionBlock {
 public:
  enum class Kind { kSelf, kCross };

  AttentionBlock(const torch::nn::LayerNormImpl& norm,
                 const MultiHeadAttentionImpl& attention, Kind kind);

  int64_t hidden_size() const { return output_.in(); }
  // Floats from one projected row to the next.
  int64_t row_stride() const { return projections_.out(); }

  // attend(projected, attended): [n, row_stride()] -> [n, hidden_size].
  template <typename Attend>
  void Run(float* x, int64_t n, InferenceBuffers& buffers,
           const Attend& attend) const {
    Project(x, n, buffers);
    attend(static_cast<const float*>(buffers.projected.data()),
           buffers.attended.data());
    output_.Add(buffers.attended.data(), n, x);
  }

 private:
  void Project(const float* x, int64_t n, InferenceBuffers& buffers) const;

  PackedNorm norm_;
  PackedLinear projections_, output_;
};

}  // namespace keylens::nn

#endif  // KEYLENS_SRC_NN_INFERENCE_BLOCK_H_
