#ifndef KEYLENS_SRC_MODELS_KEYLENS_TRANSLATOR_MODEL_H_
#define KEYLENS_SRC_MODELS_KEYLENS_TRANSLATOR_MODEL_H_

#include <keylens/nn/transformer_decoder.h>
#include <keylens/nn/transformer_encoder.h>
#include <torch/torch.h>

#include <cstdint>
#include <memory>
#include <vector>

#include "src/models/keylens_translator/config.h"

namespace keylens::translator {

// Pairs of sentences for training, end to end and without padding: sentence s
// has the tokens [offsets[s], offsets[s + 1]) of its side.
struct PackedPairs {
  torch::Tensor source_ids;   // [source tokens], int64: pieces, then the end
  torch::Tensor target_ids;   // [target tokens]: the start, then pieces
  torch::Tensor next_ids;     // [target tokens]: pieces, then the end
  torch::Tensor source_keys;  // [source tokens], int64: of the dropout
  torch::Tensor target_keys;  // [target tokens]
  std::vector<int64_t> source_offsets;
  std::vector<int64_t> target_offsets;
};

// What the encoder made of a batch of source sentences.
struct EncodedSource {
  torch::Tensor memory;          // [n, len, hidden_size], normalised
  std::vector<int64_t> lengths;  // n: the tokens that count, of each sentence
};

// An encoder-decoder Transformer (Vaswani et al.: Attention is all you need)
// with normalisation before each branch and after each stack. One table of
// embeddings serves the source, the target, and the logits; on its way in it is
// multiplied by sqrt(hidden_size), and sinusoidal positions are added.
//
// Parameters: embedding.weight [vocab_size, hidden_size], and those of
// nn::TransformerEncoder below `encoder` and of nn::TransformerDecoder below
// `decoder`; activations are ReLU.
class TranslatorModelImpl : public torch::nn::Module {
 public:
  // `dropout`: of embeddings and branches, while training.
  explicit TranslatorModelImpl(const TranslatorConfig& config,
                               double dropout = 0);

  // ids [n, len] int64, each row a sentence with its end token, padded at the
  // end; of row i the first lengths[i] count (at least 1).
  EncodedSource EncodeSource(const torch::Tensor& ids,
                             const std::vector<int64_t>& lengths,
                             nn::AttentionRecorder* recorder = nullptr);

  // target_ids [n, len] int64: the start token and the pieces so far, padded at
  // the end with any token -> [n, len, hidden_size]: row i, position j is what
  // the logits of the token after position j are made of. It depends on
  // positions up to j alone.
  torch::Tensor DecodeTarget(const torch::Tensor& target_ids,
                             const EncodedSource& source,
                             nn::AttentionRecorder* recorder = nullptr);

  // hidden [..., hidden_size] -> [..., vocab_size].
  torch::Tensor Logits(const torch::Tensor& hidden);

  // What the layers take: the scaled embeddings of ids [n, len] plus the
  // encodings of positions first_position, first_position + 1, ...
  // -> [n, len, hidden_size].
  torch::Tensor Embed(const torch::Tensor& ids, int64_t first_position = 0);

  // The sum over all target tokens of the cross-entropy with `label_smoothing`:
  // a scalar.
  torch::Tensor Loss(const PackedPairs& sentences, double label_smoothing);

  // Of the branches while training, in Loss: float32 or bfloat16.
  void set_branch_type(torch::ScalarType type) { branch_type_ = type; }

  const TranslatorConfig& config() const { return config_; }

  torch::nn::Embedding embedding = nullptr;
  nn::TransformerEncoder encoder = nullptr;
  nn::TransformerDecoder decoder = nullptr;

 private:
  torch::Tensor EmbedPacked(const torch::Tensor& ids,
                            const std::vector<int64_t>& offsets,
                            const torch::Tensor& keys);

  TranslatorConfig config_;
  double dropout_;
  torch::ScalarType branch_type_ = torch::kFloat32;
  torch::Tensor positions_;  // [max_tokens, hidden_size]; no parameter
};
TORCH_MODULE(TranslatorModel);

}  // namespace keylens::translator

#endif  // KEYLENS_SRC_MODELS_KEYLENS_TRANSLATOR_MODEL_H_
