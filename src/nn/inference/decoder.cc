#include "src/nn/inference/decoder.h"

#include <keylens/attention.h>
#include <keylens/mask.h>

#include <stdexcept>

#include "src/nn/inference/weighted_attention.h"

namespace keylens::nn {
namespace {

// Few keys are copied when a beam forks, and a sentence takes few pages.
constexpr int64_t kSelfPage = 16;
constexpr int64_t kCrossPage = 32;

// Rows [n, heads * dim] as what a cache takes.
TensorView<const float, 3> CacheView(const float* rows, int64_t n,
                                     const KeyValueCacheOptions& options,
                                     int64_t row_stride) {
  return {rows,
          {options.num_kv_heads, n, options.head_dim},
          {options.head_dim, row_stride, 1}};
}

AttentionOptions OneThread() {
  AttentionOptions options;
  options.num_threads = 1;
  return options;
}

BlockOptions WithMemory(BlockOptions options) {
  if (!options.cross_attention)
    throw std::invalid_argument("DecoderInference: has no cross-attention");
  return options;
}

// Projected rows [n, width] as the heads of a batch of n sequences with one
// position each.
template <typename T>
TensorView<T, 4> BatchView(const AttentionBranch& layer, T* rows, int64_t n,
                           int64_t row_stride) {
  return {rows,
          {n, layer.heads(), 1, layer.head_dim()},
          {row_stride, layer.head_dim(), row_stride, 1}};
}

AttentionInputs<float> CrossViews(const AttentionBranch& layer,
                                  const float* query, int64_t n,
                                  const float* keys_and_values,
                                  int64_t memory_len) {
  const auto heads = [&](const float* rows, int64_t count, int64_t stride) {
    return HeadsOfRows(rows, count, layer.heads(), layer.head_dim(), stride);
  };
  const int64_t width = layer.width();
  return {heads(query, n, width), heads(keys_and_values, memory_len, 2 * width),
          heads(keys_and_values + width, memory_len, 2 * width)};
}

}  // namespace

DecodingState::DecodingState(const DecoderInference& decoder,
                             const float* memory,
                             std::span<const int64_t> offsets) {
  const int64_t n = offsets.back();
  KeyValueCacheOptions options;
  options.num_kv_heads = decoder.options().num_heads;
  options.head_dim = decoder.options().head_dim;
  const int64_t width = options.num_kv_heads * options.head_dim;
  std::vector<float> projected(static_cast<std::size_t>(2 * n * width));
  for (const InferenceBlock& layer : decoder.stack_.layers) {
    options.page_len = kSelfPage;
    self_.emplace_back(options);
    options.page_len = kCrossPage;
    KeyValueCache& cross = cross_.emplace_back(options);
    layer.memory->Apply(memory, n, projected.data());
    sources_.clear();
    for (std::size_t s = 0; s + 1 < offsets.size(); ++s) {
      const int64_t source = cross.Add(), len = offsets[s + 1] - offsets[s];
      const float* rows = projected.data() + 2 * width * offsets[s];
      cross.Append<float>(source, CacheView(rows, len, options, 2 * width),
                          CacheView(rows + width, len, options, 2 * width));
      sources_.push_back(source);
    }
  }
}

// The caches of all layers see the same calls, so that a sequence has the same
// number in each.
int64_t DecodingState::Add() {
  int64_t sequence = 0;
  for (KeyValueCache& cache : self_) sequence = cache.Add();
  return sequence;
}

int64_t DecodingState::Fork(int64_t sequence) {
  int64_t fork = 0;
  for (KeyValueCache& cache : self_) fork = cache.Fork(sequence);
  return fork;
}

void DecodingState::Remove(int64_t sequence) {
  for (KeyValueCache& cache : self_) cache.Remove(sequence);
}

DecoderInference::DecoderInference(const WeightSource& weights,
                                   const std::string& prefix,
                                   const BlockOptions& options)
    : stack_(weights, prefix, WithMemory(options)) {}

void DecoderInference::StepSelf(const InferenceBlock& layer,
                                KeyValueCache& cache,
                                std::span<const int64_t> sequences, float* x,
                                InferenceBuffers& buffers) const {
  const AttentionBranch& self = layer.self;
  const auto n = static_cast<int64_t>(sequences.size());
  const int64_t width = self.width(), stride = self.row_stride();
  self.Run(x, n, buffers, [&](const float* projected, float* attended) {
    for (int64_t i = 0; i < n; ++i) {
      const float* row = projected + i * stride;
      cache.Append<float>(
          sequences[static_cast<std::size_t>(i)],
          CacheView(row + width, 1, cache.options(), stride),
          CacheView(row + 2 * width, 1, cache.options(), stride));
    }
    AttentionDecode<float>(BatchView(self, projected, n, stride), cache,
                           sequences, OneThread(),
                           {BatchView(self, attended, n, width), {}});
  });
}

void DecoderInference::StepCross(const InferenceBlock& layer,
                                 const KeyValueCache& cache,
                                 std::span<const int64_t> sources, float* x,
                                 InferenceBuffers& buffers) const {
  const AttentionBranch& cross = *layer.cross;
  const auto n = static_cast<int64_t>(sources.size());
  cross.Run(x, n, buffers, [&](const float* query, float* attended) {
    AttentionDecode<float>(BatchView(cross, query, n, cross.width()), cache,
                           sources, OneThread(),
                           {BatchView(cross, attended, n, cross.width()), {}});
  });
}

void DecoderInference::Step(DecodingState& state,
                            std::span<const int64_t> sequences,
                            std::span<const int64_t> sources, float* x,
                            InferenceBuffers& buffers) const {
  const auto n = static_cast<int64_t>(sequences.size());
  std::vector<int64_t> cached;
  for (const int64_t source : sources)
    cached.push_back(state.sources_[static_cast<std::size_t>(source)]);
  for (std::size_t l = 0; l < stack_.layers.size(); ++l) {
    const InferenceBlock& layer = stack_.layers[l];
    StepSelf(layer, state.self_[l], sequences, x, buffers);
    StepCross(layer, state.cross_[l], cached, x, buffers);
    layer.feed_forward.Run(x, n, buffers);
  }
  stack_.FinalNorm(x, n);
}

DecoderWeights DecoderInference::RunWithWeights(
    const float* memory, int64_t memory_len, float* x, int64_t n,
    InferenceBuffers& buffers) const {
  const auto mask = CausalMaskOf(stack_.options);
  std::vector<float> keys_and_values;
  DecoderWeights weights;
  for (const InferenceBlock& layer : stack_.layers) {
    layer.self.Run(x, n, buffers, [&](const float* rows, float* attended) {
      Attend(SelfAttentionViews(layer.self, rows, {0, n}, n), mask.get(),
             AttendedView(layer.self, attended, n),
             &weights.self.emplace_back());
    });
    layer.memory->Apply(memory, memory_len,
                        Rows(keys_and_values, memory_len, layer.memory->out()));
    layer.cross->Run(x, n, buffers, [&](const float* query, float* attended) {
      Attend(CrossViews(*layer.cross, query, n, keys_and_values.data(),
                        memory_len),
             nullptr, AttendedView(*layer.cross, attended, n),
             &weights.cross.emplace_back());
    });
    layer.feed_forward.Run(x, n, buffers);
  }
  stack_.FinalNorm(x, n);
  return weights;
}

}  // namespace keylens::nn
