#ifndef KEYLENS_SYSTEMS_GENERATOR_TEXT_ENCODER_H_
#define KEYLENS_SYSTEMS_GENERATOR_TEXT_ENCODER_H_

#include <keylens/nn/transformer_encoder.h>
#include <torch/torch.h>

#include <vector>

#include "systems/generator/config.h"

namespace keylens::generator {

// Prompts as the text encoder takes them, and as it returns them.
struct TokenBatch {
  torch::Tensor ids;             // [n, len] int64, padded at the end
  std::vector<int64_t> lengths;  // n: the tokens that count, of each prompt
};

struct EncodedText {
  torch::Tensor tokens;          // [n, len, hidden_size]
  torch::Tensor pooled;          // [n, hidden_size]: the mean over live tokens
  std::vector<int64_t> lengths;  // n
};

// A Transformer over the tokens of the prompt, with learnt positions.
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

#endif  // KEYLENS_SYSTEMS_GENERATOR_TEXT_ENCODER_H_
