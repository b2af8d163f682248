#include "systems/generator/text_encoder.h"

#include <keylens/mask.h>

namespace keylens::generator {
namespace {

// [n, len, 1]: 1 / length where a token counts, 0 in the padding.
torch::Tensor PoolingWeights(const TokenBatch& batch) {
  const int64_t len = batch.ids.size(1);
  torch::Tensor weights = torch::zeros({batch.ids.size(0), len, 1});
  float* row = weights.data_ptr<float>();
  for (const int64_t length : batch.lengths) {
    std::fill(row, row + length, 1.0f / static_cast<float>(length));
    row += len;
  }
  return weights;
}

}  // namespace

TextEncoderImpl::TextEncoderImpl(const TextEncoderConfig& config) {
  token_embedding = register_module(
      "token_embedding",
      torch::nn::Embedding(config.vocab_size, config.hidden_size));
  position_embedding = register_module(
      "position_embedding",
      torch::nn::Embedding(config.max_tokens, config.hidden_size));
  nn::TransformerEncoderOptions options;
  options.hidden_size = config.hidden_size;
  options.num_heads = config.num_heads;
  options.num_layers = config.num_layers;
  encoder = register_module("encoder", nn::TransformerEncoder(options));
  torch::NoGradGuard no_grad;
  token_embedding->weight.mul_(0.5);
  position_embedding->weight.mul_(0.1);
}

EncodedText TextEncoderImpl::forward(const TokenBatch& batch) {
  const int64_t len = batch.ids.size(1);
  const torch::Tensor x = token_embedding->forward(batch.ids) +
                          position_embedding->weight.narrow(0, 0, len);
  nn::TransformerEncoderCall call;
  call.mask = KeyPaddingMask(batch.lengths);
  const torch::Tensor tokens = encoder->forward(x, call);
  const torch::Tensor pooled = (tokens * PoolingWeights(batch)).sum(1);
  return {tokens, pooled, batch.lengths};
}

}  // namespace keylens::generator
