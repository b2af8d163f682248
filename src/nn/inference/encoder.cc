#include "src/nn/inference/encoder.h"

#include <keylens/attention.h>
#include <keylens/packed_sequences.h>

#include <algorithm>
#include <stdexcept>

#include "src/nn/inference/weighted_attention.h"

namespace keylens::nn {
namespace {

// The range within a sequence of `len` rows.
RowRange Within(const RowRange& rows, int64_t len) {
  const RowRange settled{rows.begin, rows.end < 0 ? len : rows.end};
  if (settled.begin < 0 || settled.begin >= settled.end || settled.end > len) {
    throw std::invalid_argument(
        "EncoderInference: rows " + std::to_string(rows.begin) + " to " +
        std::to_string(rows.end) + " of a sequence of " + std::to_string(len));
  }
  return settled;
}

BlockOptions WithoutMemory(BlockOptions options) {
  if (options.cross_attention) {
    throw std::invalid_argument(
        "EncoderInference: cross-attention takes a DecoderInference");
  }
  return options;
}

}  // namespace

EncoderInference::EncoderInference(const WeightSource& weights,
                                   const std::string& prefix,
                                   const BlockOptions& options)
    : stack_(weights, prefix, WithoutMemory(options)) {}

void EncoderInference::RunLayer(const InferenceBlock& layer, float* x,
                                std::span<const int64_t> offsets,
                                InferenceBuffers& buffers) const {
  const int64_t n = offsets.back();
  const auto mask = CausalMaskOf(stack_.options);
  AttentionOptions options;
  options.mask = mask.get();
  options.num_threads = 1;
  layer.self.Run(x, n, buffers, [&](const float* projected, float* attended) {
    AttentionForwardPacked<float>(
        SelfAttentionViews(layer.self, projected, {0, n}, n),
        {offsets, offsets}, options,
        {AttendedView(layer.self, attended, n), {}});
  });
  layer.feed_forward.Run(x, n, buffers);
}

int64_t EncoderInference::RunRows(const InferenceBlock& layer, float* x,
                                  std::span<const int64_t> offsets,
                                  const RowRange& rows,
                                  InferenceBuffers& buffers,
                                  AttentionWeights* weights) const {
  const int64_t n = offsets.back(), size = stack_.options.hidden_size;
  const auto mask = CausalMaskOf(stack_.options);
  const float* projected = layer.self.Project(x, n, buffers);
  float* attended = Rows(buffers.attended, n, layer.self.width());
  int64_t done = 0;
  for (std::size_t s = 0; s + 1 < offsets.size(); ++s) {
    const int64_t first = offsets[s], len = offsets[s + 1] - first;
    const RowRange wanted = Within(rows, len);
    const int64_t count = wanted.end - wanted.begin;
    // A causal row sees none behind the range.
    Attend(
        SelfAttentionViews(layer.self,
                           projected + first * layer.self.row_stride(), wanted,
                           mask ? wanted.end : len),
        mask.get(),
        AttendedView(layer.self, attended + done * layer.self.width(), count),
        weights);
    const float* kept = x + (first + wanted.begin) * size;
    std::copy(kept, kept + count * size, x + done * size);
    done += count;
  }
  layer.self.Join(x, done, buffers);
  layer.feed_forward.Run(x, done, buffers);
  return done;
}

void EncoderInference::Run(float* x, std::span<const int64_t> offsets,
                           InferenceBuffers& buffers,
                           const RowRange& rows) const {
  int64_t n = offsets.back();
  for (std::size_t i = 0; i < stack_.layers.size(); ++i) {
    if (!rows.all() && i + 1 == stack_.layers.size()) {
      n = RunRows(stack_.layers[i], x, offsets, rows, buffers, nullptr);
    } else {
      RunLayer(stack_.layers[i], x, offsets, buffers);
    }
  }
  stack_.FinalNorm(x, n);
}

std::vector<AttentionWeights> EncoderInference::RunWithWeights(
    float* x, int64_t n, InferenceBuffers& buffers,
    const RowRange& rows) const {
  const int64_t offsets[] = {0, n};
  std::vector<AttentionWeights> weights(stack_.layers.size());
  for (std::size_t i = 0; i < weights.size(); ++i) {
    const bool last = i + 1 == weights.size();
    n = RunRows(stack_.layers[i], x, offsets, last ? rows : RowRange(), buffers,
                &weights[i]);
  }
  stack_.FinalNorm(x, n);
  return weights;
}

}  // namespace keylens::nn
