#ifndef KEYLENS_SRC_NN_INFERENCE_BLOCK_H_
#define KEYLENS_SRC_NN_INFERENCE_BLOCK_H_

#include <keylens/nn/block_options.h>
#include <keylens/tensor_view.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "src/nn/inference/packed_layers.h"
#include "src/weights/weight_source.h"

// One layer of an encoder or decoder in inference: the branches of
// BlockOptions, packed from a source of weights under the names that
// TransformerBlock's parameters have. No torch.

namespace keylens::nn {

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
  std::vector<float> normed, projected, attended, inner, rows;
};

// Makes room for n rows.
float* Rows(std::vector<float>& buffer, int64_t n, int64_t size);

// What all branches do with what they are added to: the normalisation before,
// or behind.
class BranchNorm {
 public:
  BranchNorm(const WeightSource& weights, const std::string& name,
             const BlockOptions& options);

  // What the branch is made of: x [n, size], or its normalised rows in `room`.
  const float* Before(const float* x, int64_t n,
                      std::vector<float>& room) const;
  void After(float* x, int64_t n) const;

 private:
  PackedNorm norm_;
  NormPlacement placement_;
  int64_t size_;
};

// linear2(activation(linear1(x))), added to x [n, hidden_size] in place.
class FeedForwardBranch {
 public:
  FeedForwardBranch(const WeightSource& weights, const std::string& prefix,
                    const BlockOptions& options, int branch);

  void Run(float* x, int64_t n, InferenceBuffers& buffers) const;

 private:
  BranchNorm norm_;
  PackedLinear linear1_, linear2_;
  Activation activation_;
};

// output(attend(projections(x))), added to x in place; the attention itself is
// the caller's. Self-attention projects to queries, keys and values side by
// side, cross-attention to queries.
class AttentionBranch {
 public:
  enum class Kind { kSelf, kCross };

  AttentionBranch(const WeightSource& weights, const std::string& prefix,
                  const BlockOptions& options, Kind kind);

  int64_t heads() const { return heads_; }
  int64_t head_dim() const { return head_dim_; }
  // Columns of the queries, and of what attention gives.
  int64_t width() const { return heads_ * head_dim_; }
  // Floats from one projected row to the next.
  int64_t row_stride() const { return projections_.out(); }

  // attend(projected, attended): [n, row_stride()] -> [n, width()].
  template <typename Attend>
  void Run(float* x, int64_t n, InferenceBuffers& buffers,
           const Attend& attend) const {
    attend(Project(x, n, buffers), Rows(buffers.attended, n, width()));
    Join(x, n, buffers);
  }

  // The two halves of Run, for rows that part in between.
  const float* Project(const float* x, int64_t n,
                       InferenceBuffers& buffers) const;
  void Join(float* x, int64_t n, InferenceBuffers& buffers) const;

 private:
  int64_t heads_, head_dim_;
  BranchNorm norm_;
  PackedLinear projections_, output_;
};

struct InferenceBlock {
  // `prefix`: "encoder.layers.0."
  InferenceBlock(const WeightSource& weights, const std::string& prefix,
                 const BlockOptions& options);

  AttentionBranch self;
  // With cross-attention, and what it projects a memory to: keys and values
  // side by side.
  std::optional<AttentionBranch> cross;
  std::optional<PackedLinear> memory;
  FeedForwardBranch feed_forward;
};

// The layers PREFIXlayers.0. and so on, and PREFIXnorm where there is one.
struct InferenceStack {
  InferenceStack(const WeightSource& weights, const std::string& prefix,
                 const BlockOptions& options);

  void FinalNorm(float* x, int64_t n) const;

  BlockOptions options;
  std::vector<InferenceBlock> layers;
  std::optional<PackedNorm> norm;
};

}  // namespace keylens::nn

#endif  // KEYLENS_SRC_NN_INFERENCE_BLOCK_H_
