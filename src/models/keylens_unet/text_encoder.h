#ifndef KEYLENS_SRC_MODELS_KEYLENS_UNET_TEXT_ENCODER_H_
#define KEYLENS_SRC_MODELS_KEYLENS_UNET_TEXT_ENCODER_H_

#include <keylens/nn/transformer_encoder.h>
#include <torch/torch.h>

#include <vector>

#include "src/models/keylens_unet/config.h"

namespace keylens::generator {

// Prompts as the text encoder takes them, and as it returns them.
struct TokenBatch {
  torch::Tensor ids;             // [n, len] int64, padded at the end
  std::vector<int64_t> lengths;  // n: the tokens that count, of each prompt
};

struct EncodedText {
  torch::Tensor tokens;          // [n, len, hidden_size]
  torch::Tensor pooled;          // [n, 2 * hidden_size]; see TextEncoder
  std::vector<int64_t> lengths;  // n
};

// A Transformer over the tokens of the prompt, with learnt positions.
//
// `pooled` is the mean of the Transformer's output over the live tokens, and
// beside it the sum of their embeddings over the square root of their number.
// The first knows the order of the words, but while it learns, the outputs for
// different prompts draw near each other; the second keeps them apart.
//
// Parameters: token_embedding.weight, position_embedding.weight, and those of
// keylens::nn::TransformerEncoder below `encoder`.
class TextEncoderImpl : public torch::nn::Module {
 public:
  explicit TextEncoderImpl(const TextEncoderConfig& config);

  // len is at most config.max_tokens.
  EncodedText forward(const TokenBatch& batch);

  torch::nn::Embedding token_embedding = nullptr, position_embedding = nullptr;
  nn::TransformerEncoder encoder = nullptr;
};
TORCH_MODULE(TextEncoder);

}  // namespace keylens::generator

#endif  // KEYLENS_SRC_MODELS_KEYLENS_UNET_TEXT_ENCODER_H_
