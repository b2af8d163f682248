#ifndef KEYLENS_SYSTEMS_TRANSLATOR_TRANSLATION_MODEL_H_
#define KEYLENS_SYSTEMS_TRANSLATOR_TRANSLATION_MODEL_H_

#include <cstdint>
#include <span>
#include <vector>

#include "src/models/keylens_translator/inference_model.h"
#include "src/text/sentence_piece_tokenizer.h"
#include "systems/translator/lines/line_parts.h"
#include "systems/translator/looking/alignment.h"
#include "systems/translator/model/model_folder.h"
#include "systems/translator/translation.h"

namespace keylens::translator {

// What the model saw while it wrote a translation.
struct TranslationWeights {
  std::vector<nn::AttentionWeights> encoder;  // of each layer
  nn::DecoderWeights decoder;  // row 0 is that of the start token
};

// A model with its tokenizer, as what translates and what looks into it use it.
class TranslationModel {
 public:
  // Throws Error, naming file and tensor, where a weight cannot be used.
  TranslationModel(ModelFolder files, AlignmentHeads alignment_heads);

  SentencePieceTokenizer tokenizer;
  InferenceModel model;
  AlignmentHeads heads;

  SpecialTokens special_tokens() const;

  // Pieces and the end token.
  std::vector<int32_t> SourceIds(std::string_view text) const;

  // The weights with which the model would write `ids` (without the end) for
  // `source` (with it).
  TranslationWeights WeightsOf(const std::vector<int32_t>& source,
                               const std::vector<int32_t>& ids,
                               nn::InferenceBuffers& buffers) const;

  // Translates parts that wait: each is done, or has lost a word that it was to
  // keep. Throws Error where what the model computes is not finite.
  void TranslateParts(std::span<TranslatedPart* const> parts,
                      const TranslateSettings& settings) const;

  // Sets the words, links and entropy of a translated part of `line`.
  void AlignPart(std::string_view line, TranslatedPart& part, bool links) const;

 private:
  // Puts the marks of a translated part where its words went.
  void PlaceMarks(TranslatedPart& part) const;

  // Which words of what the model read and of what it wrote belong together.
  std::vector<WordLink> LinksOf(const LinePart& part,
                                const std::vector<int32_t>& ids,
                                double* entropy_sum) const;
};

}  // namespace keylens::translator

#endif  // KEYLENS_SYSTEMS_TRANSLATOR_TRANSLATION_MODEL_H_
