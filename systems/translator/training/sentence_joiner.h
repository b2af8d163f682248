#ifndef KEYLENS_SYSTEMS_TRANSLATOR_TRAINING_SENTENCE_JOINER_H_
#define KEYLENS_SYSTEMS_TRANSLATOR_TRAINING_SENTENCE_JOINER_H_

#include "systems/translator/training/text_variety.h"

namespace keylens::translator {

// Puts sentences of any two languages one after another, so that a model of
// short ones meets longer lines. The text itself stays as it is.
class SentenceJoiner : public TextVariety {
 public:
  // `share`: of three pairs in a row, that some are joined.
  explicit SentenceJoiner(double share) : share_(share) {}

  std::optional<SentencePair> Changed(const SentencePair& pair, uint64_t seed,
                                      uint64_t number) const override;
  bool JoinsPrevious(uint64_t seed, uint64_t number) const override;
  std::optional<SentencePair> Joined(std::span<const SentencePair> pairs,
                                     uint64_t seed,
                                     uint64_t number) const override;

  // Whether both sides have words and end as sentences do.
  static bool IsSentence(const SentencePair& pair);

 private:
  double share_;
};

}  // namespace keylens::translator

#endif  // KEYLENS_SYSTEMS_TRANSLATOR_TRAINING_SENTENCE_JOINER_H_
