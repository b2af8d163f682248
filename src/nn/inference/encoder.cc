#include "src/nn/inference/encoder.h"

#include <keylens/attention.h>
#include <keylens/nn/transformer_encoder.h>
#include <keylens/packed_sequences.h>

#include "src/nn/inference/weighted_attention.h"

namespace keylens::nn {

EncoderInference::EncoderInference(const TransformerEncoderImpl& encoder,
                                   const TransformerEncoderOptions& options)
    : num_heads_(options.num_heads), norm_(*encoder.norm) {
  for (const auto& module : *encoder.layers) {
    const auto& layer = *module->as<TransformerEncoderLayerImpl>();
    layers_.push_back({AttentionBlock(*layer.norm1, *layer.attention,
                                      AttentionBlock::Kind::kSelf),
                       FeedForwardBlock(*layer.norm2, *layer.linear1,
                                        *layer.linear2, options.activation)});
  }
}

void EncoderInference::Run(float* x, std::span<const int64_t> offsets,
                           InferenceBuffers& buffers) const {
  const int64_t n = offsets.back();
  AttentionOptions options;
  options.num_threads = 1;
  for (const Layer& layer : layers_) {
    layer.attention.Run(
        x, n, buffers, [&](const float* projected, float* attended) {
          const auto views =
              SelfAttentionViews(layer.attention, num_heads_, projected, n);
          AttentionForwardPacked<float>(
              views, {offsets, offsets}, options,
              {AttendedView(layer.attention, num_heads_, attended, n), {}});
        });
    layer.feed_forward.Run(x, n, buffers);
  }
  norm_.Apply(x, n, x);
}

std::vector<AttentionWeights> EncoderInference::RunWithWeights(
    float* x, int64_t n, InferenceBuffers& buffers) const {
  std::vector<AttentionWeights> weights;
  for (const Layer& layer : layers_) {
    layer.attention.Run(
        x, n, buffers, [&](const float* projected, float* attended) {
          weights.push_back(AttendWithWeights(
              SelfAttentionViews(layer.attention, num_heads_, projected, n),
              nullptr, AttendedView(layer.attention, num_heads_, attended, n)));
        });
    layer.feed_forward.Run(x, n, buffers);
  }
  norm_.Apply(x, n, x);
  return weights;
}

}  // namespace keylens::nn
