#include "src/nn/inference/decoder.h"

#include <keylens/attention.h>
#include <keylens/mask.h>
#include <keylens/nn/transformer_decoder.h>

#include "src/nn/inference/weighted_attention.h"

namespace keylens::nn {
namespace {

// Few keys are copied when a beam forks, and a sentence takes few pages.
constexpr int64_t kSelfPage = 16;
constexpr int64_t kCrossPage = 32;

PackedLinear KeysAndValues(const MultiHeadAttentionImpl& attention) {
  return {attention.key.get(), attention.value.get()};
}

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

}  // namespace

DecodingState::DecodingState(const DecoderInference& decoder,
                             const float* memory,
                             std::span<const int64_t> offsets) {
  const int64_t n = offsets.back(), size = decoder.hidden_size();
  KeyValueCacheOptions options;
  options.num_kv_heads = decoder.num_heads();
  options.head_dim = size / decoder.num_heads();
  std::vector<float> projected(static_cast<std::size_t>(2 * n * size));
  for (const DecoderInference::Layer& layer : decoder.layers_) {
    options.page_len = kSelfPage;
    self_.emplace_back(options);
    options.page_len = kCrossPage;
    KeyValueCache& cross = cross_.emplace_back(options);
    layer.memory.Apply(memory, n, projected.data());
    sources_.clear();
    for (std::size_t s = 0; s + 1 < offsets.size(); ++s) {
      const int64_t source = cross.Add(), len = offsets[s + 1] - offsets[s];
      const float* rows = projected.data() + 2 * size * offsets[s];
      cross.Append<float>(source, CacheView(rows, len, options, 2 * size),
                          CacheView(rows + size, len, options, 2 * size));
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

DecoderInference::DecoderInference(const TransformerDecoderImpl& decoder,
                                   const TransformerEncoderOptions& options)
    : hidden_size_(options.hidden_size),
      num_heads_(options.num_heads),
      norm_(*decoder.norm) {
  for (const auto& module : *decoder.layers) {
    const auto& layer = *module->as<TransformerDecoderLayerImpl>();
    layers_.push_back({AttentionBlock(*layer.norm1, *layer.self_attention,
                                      AttentionBlock::Kind::kSelf),
                       AttentionBlock(*layer.norm2, *layer.cross_attention,
                                      AttentionBlock::Kind::kCross),
                       KeysAndValues(*layer.cross_attention),
                       FeedForwardBlock(*layer.norm3, *layer.linear1,
                                        *layer.linear2, options.activation)});
  }
}

template <typename T>
TensorView<T, 4> DecoderInference::BatchView(T* rows, int64_t n,
                                             int64_t row_stride) const {
  const int64_t dim = hidden_size_ / num_heads_;
  return {rows, {n, num_heads_, 1, dim}, {row_stride, dim, row_stride, 1}};
}

void DecoderInference::Step(DecodingState& state,
                            std::span<const int64_t> sequences,
                            std::span<const int64_t> sources, float* x,
                            InferenceBuffers& buffers) const {
  const auto n = static_cast<int64_t>(sequences.size());
  std::vector<int64_t> cross_sequences;
  for (const int64_t source : sources)
    cross_sequences.push_back(state.sources_[static_cast<std::size_t>(source)]);
  const AttentionOptions options = OneThread();
  for (std::size_t l = 0; l < layers_.size(); ++l) {
    const Layer& layer = layers_[l];
    KeyValueCache& self = state.self_[l];
    layer.self.Run(x, n, buffers, [&](const float* projected, float* attended) {
      const int64_t stride = layer.self.row_stride();
      for (int64_t i = 0; i < n; ++i) {
        const float* row = projected + i * stride;
        self.Append<float>(
            sequences[static_cast<std::size_t>(i)],
            CacheView(row + hidden_size_, 1, self.options(), stride),
            CacheView(row + 2 * hidden_size_, 1, self.options(), stride));
      }
      AttentionDecode<float>(BatchView(projected, n, stride), self, sequences,
                             options,
                             {BatchView(attended, n, hidden_size_), {}});
    });
    layer.cross.Run(x, n, buffers, [&](const float* query, float* attended) {
      AttentionDecode<float>(BatchView(query, n, hidden_size_), state.cross_[l],
                             cross_sequences, options,
                             {BatchView(attended, n, hidden_size_), {}});
    });
    layer.feed_forward.Run(x, n, buffers);
  }
  norm_.Apply(x, n, x);
}

AttentionInputs<float> DecoderInference::CrossViews(
    const float* query, int64_t n, const float* keys_and_values,
    int64_t memory_len) const {
  const int64_t dim = hidden_size_ / num_heads_;
  return {HeadsOfRows(query, n, num_heads_, dim, hidden_size_),
          HeadsOfRows(keys_and_values, memory_len, num_heads_, dim,
                      2 * hidden_size_),
          HeadsOfRows(keys_and_values + hidden_size_, memory_len, num_heads_,
                      dim, 2 * hidden_size_)};
}

DecoderWeights DecoderInference::RunWithWeights(
    const float* memory, int64_t memory_len, float* x, int64_t n,
    InferenceBuffers& buffers) const {
  const auto causal = CausalMask(CausalAlignment::kTopLeft);
  std::vector<float> projected(
      static_cast<std::size_t>(2 * memory_len * hidden_size_));
  DecoderWeights weights;
  for (const Layer& layer : layers_) {
    layer.self.Run(x, n, buffers, [&](const float* rows, float* attended) {
      weights.self.push_back(AttendWithWeights(
          SelfAttentionViews(layer.self, num_heads_, rows, n), causal.get(),
          AttendedView(layer.self, num_heads_, attended, n)));
    });
    layer.memory.Apply(memory, memory_len, projected.data());
    layer.cross.Run(x, n, buffers, [&](const float* query, float* attended) {
      weights.cross.push_back(AttendWithWeights(
          CrossViews(query, n, projected.data(), memory_len), nullptr,
          AttendedView(layer.cross, num_heads_, attended, n)));
    });
    layer.feed_forward.Run(x, n, buffers);
  }
  norm_.Apply(x, n, x);
  return weights;
}

}  // namespace keylens::nn
