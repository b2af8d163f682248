#ifndef KEYLENS_SRC_MODELS_KEYLENS_TRANSLATOR_INFERENCE_MODEL_H_
#define KEYLENS_SRC_MODELS_KEYLENS_TRANSLATOR_INFERENCE_MODEL_H_

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "src/models/keylens_translator/config.h"
#include "src/nn/inference/decoder.h"
#include "src/nn/inference/encoder.h"
#include "src/nn/inference/packed_layers.h"
#include "src/weights/weight_source.h"

namespace keylens::translator {

// What the encoder made of sentences that lie end to end: sentence s has the
// rows [offsets[s], offsets[s + 1]).
struct Memory {
  std::vector<float> rows;  // [offsets.back(), hidden_size]
  std::vector<int64_t> offsets;
};

// A translator that only runs forward, without torch: the weights of a
// TranslatorModel, packed once. Const calls may go on in several threads at
// once, each with buffers of its own.
class InferenceModel {
 public:
  // The table of embeddings stays where it lies in `weights`. Throws Error,
  // naming file and tensor, where one is missing, not known, of another shape
  // than the config says, or not finite.
  InferenceModel(const TranslatorConfig& config,
                 std::shared_ptr<const WeightSource> weights);

  // Sentences with their end tokens, at most max_tokens each; at least one
  // token in all.
  Memory Encode(std::span<const std::vector<int32_t>> sources,
                nn::InferenceBuffers& buffers) const;

  // Row i of x [ids.size(), hidden_size]: the scaled embedding of ids[i] and
  // the encoding of `position`.
  void EmbedAt(std::span<const int32_t> ids, int64_t position, float* x) const;
  // The same for one sentence: row i is at position i.
  void Embed(std::span<const int32_t> ids, float* x) const;

  // hidden [n, hidden_size] -> logits [n, vocab_size].
  void Logits(const float* hidden, int64_t n, float* logits) const;

  const TranslatorConfig& config() const { return config_; }
  const nn::EncoderInference& encoder() const { return encoder_; }
  const nn::DecoderInference& decoder() const { return decoder_; }

 private:
  void EmbedRow(int32_t id, int64_t position, float* row) const;

  TranslatorConfig config_;
  std::shared_ptr<const WeightSource> weights_;
  WeightView embedding_;          // [vocab_size, hidden_size], not scaled
  std::vector<float> positions_;  // [max_tokens, hidden_size]
  nn::EncoderInference encoder_;
  nn::DecoderInference decoder_;
  nn::PackedLinear output_;
};

}  // namespace keylens::translator

#endif  // KEYLENS_SRC_MODELS_KEYLENS_TRANSLATOR_INFERENCE_MODEL_H_
