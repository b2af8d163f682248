#ifndef KEYLENS_SYSTEMS_TRANSLATOR_LOOKING_LEXICAL_AGREEMENT_H_
#define KEYLENS_SYSTEMS_TRANSLATOR_LOOKING_LEXICAL_AGREEMENT_H_

#include <cstdint>
#include <set>
#include <vector>

#include "systems/translator/looking/alignment.h"
#include "systems/translator/looking/lexical_alignment.h"
#include "systems/translator/pipeline.h"
#include "systems/translator/text/parallel_text.h"

namespace keylens::translator {

// How often heads of cross-attention agree with a lexical aligner, on pairs
// whose translations are the pairs' own, not the model's.
class LexicalAgreement {
 public:
  // Learns the aligner from `text`. Nothing is compared yet.
  LexicalAgreement(const Pipeline& pipeline,
                   const std::vector<SentencePair>& text);

  // Whether the model can read the pair in one piece.
  bool Fits(const SentencePair& pair) const;
  // A pair that fits, and its weights of cross-attention.
  void Add(const SentencePair& pair, std::vector<nn::AttentionWeights> cross);
  // The same, with weights that are computed here.
  void Add(const SentencePair& pair);

  // The share of the aligner's links that the mean of these heads has.
  double Of(const AlignmentHeads& heads) const;

  int64_t pairs() const { return static_cast<int64_t>(compared_.size()); }
  int64_t links() const { return links_; }

 private:
  // A pair as the aligner and as cross-attention see it.
  struct Compared {
    std::set<WordLink> links;
    std::vector<nn::AttentionWeights> cross;
    WordOfPiece source_words, target_words;
  };

  const Pipeline& pipeline_;
  LexicalAligner aligner_;
  std::vector<Compared> compared_;
  int64_t links_ = 0;
};

}  // namespace keylens::translator

#endif  // KEYLENS_SYSTEMS_TRANSLATOR_LOOKING_LEXICAL_AGREEMENT_H_
