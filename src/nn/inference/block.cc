#include "src/nn/inference/block.h"

#include <keylens/nn/multi_head_attention.h>
#include <keylens/nn/transformer_encoder.h>

#include "src/nn/inference/row_kernels.h"

namespace keylens::nn {
namespace {

// Makes room for n rows.
float* Rows(std::vector<float>& buffer, int64_t n, int64_t size) {
  const auto needed = static_cast<std::size_t>(n * size);
  if (buffer.size() < needed) buffer.resize(needed);
  return buffer.data();
}

PackedLinear Projections(const MultiHeadAttentionImpl& attention,
                         AttentionBlock::Kind kind) {
  if (kind == AttentionBlock::Kind::kCross)
    return PackedLinear(*attention.query);
  return {attention.query.get(), attention.key.get(), attention.value.get()};
}

}  // namespace

FeedForwardBlock::FeedForwardBlock(const torch::nn::LayerNormImpl& norm,
                                   const LinearImpl& linear1,
                                   const LinearImpl& linear2,
                                   Activation activation)
    : norm_(norm),
      linear1_(linear1),
      linear2_(linear2),
      activation_(activation) {}

void FeedForwardBlock::Run(float* x, int64_t n,
                           InferenceBuffers& buffers) const {
  float* normed = Rows(buffers.normed, n, linear1_.in());
  float* inner = Rows(buffers.inner, n, linear1_.out());
  norm_.Apply(x, n, normed);
  linear1_.Apply(normed, n, inner);
  activation_ == Activation::kRelu ? ReluInPlace(inner, n * linear1_.out())
                                   : GeluInPlace(inner, n * linear1_.out());
  linear2_.Add(inner, n, x);
}

AttentionBlock::AttentionBlock(const torch::nn::LayerNormImpl& norm,
                               const MultiHeadAttentionImpl& attention,
                               Kind kind)
    : norm_(norm),
      projections_(Projections(attention, kind)),
      output_(*attention.output) {}

void AttentionBlock::Project(const float* x, int64_t n,
                             InferenceBuffers& buffers) const {
  float* normed = Rows(buffers.normed, n, projections_.in());
  norm_.Apply(x, n, normed);
  projections_.Apply(normed, n, Rows(buffers.projected, n, projections_.out()));
  Rows(buffers.attended, n, output_.in());
}

}  // namespace keylens::nn
