#include "src/models/keylens_unet/text_encoder.h"

#include <keylens/mask.h>

#include <algorithm>
#include <cmath>

namespace keylens::generator {
namespace {

// [n, len, 1]: `weight`(length) where a token counts, 0 in the padding.
torch::Tensor LiveWeights(const TokenBatch& batch, float (*weight)(float)) {
  const int64_t len = batch.ids.size(1);
  torch::Tensor weights = torch::zeros({batch.ids.size(0), len, 1});
  float* row = weights.data_ptr<float>();
  for (const int64_t length : batch.lengths) {
    std::fill(row, row + length, weight(static_cast<float>(length)));
    row += len;
  }
  return weights;
}

float OfMean(float length) { return 1 / length; }

// A sum of independent vectors then is as long as each of them.
float OfSum(float length) { return 1 / std::sqrt(length); }

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
  position_embedding->weight.mul_(0.1);
}

EncodedText TextEncoderImpl::forward(const TokenBatch& batch) {
  const int64_t len = batch.ids.size(1);
  const torch::Tensor words = token_embedding->forward(batch.ids);
  const torch::Tensor x = words + position_embedding->weight.narrow(0, 0, len);
  nn::TransformerEncoderCall call;
  call.mask = KeyPaddingMask(batch.lengths);
  const torch::Tensor tokens = encoder->forward(x, call);
  const torch::Tensor pooled =
      torch::cat({(tokens * LiveWeights(batch, OfMean)).sum(1),
                  (words * LiveWeights(batch, OfSum)).sum(1)},
                 1);
  return {tokens, pooled, batch.lengths};
}

}  // namespace keylens::generator
