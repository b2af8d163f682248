#ifndef KEYLENS_SYSTEMS_TRANSLATOR_TRAINING_TEXT_VARIETY_H_
#define KEYLENS_SYSTEMS_TRANSLATOR_TRAINING_TEXT_VARIETY_H_

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "systems/translator/text/parallel_text.h"
#include "systems/translator/training/sentence_composer.h"
#include "systems/translator/training/sentence_joiner.h"
#include "systems/translator/training/substitution.h"

namespace keylens::translator {

// How much of what is trained on is changed; 0: nothing.
struct VarietyShares {
  double substituted = 0;  // pairs that get other names, numbers and times
  double composed = 0;     // pairs that give way to one of SentenceComposer
  double joined = 0;       // of three pairs in a row: that some are joined

  bool none() const { return substituted == 0 && composed == 0 && joined == 0; }
};

// The changes of a run. What becomes of a pair is a function of the seed and of
// its number in the stream alone.
class TextVariety {
 public:
  TextVariety(std::span<const SentencePair> text, VarietyShares shares);

  // What takes the place of a pair; none where it stays.
  std::optional<SentencePair> Changed(const SentencePair& pair, uint64_t seed,
                                      uint64_t number) const;

  // Whether a pair is joined to the one before it; of any three in a row at
  // least one is not.
  bool JoinsPrevious(uint64_t seed, uint64_t number) const;

  // One sentence of two or three; none where they cannot be joined. `number`:
  // of the first.
  std::optional<SentencePair> Joined(std::span<const SentencePair> pairs,
                                     uint64_t seed, uint64_t number) const;

 private:
  VarietyShares shares_;
  Substitution substitution_;
  SentenceComposer composer_;
  SentenceJoiner joiner_;
};

}  // namespace keylens::translator

#endif  // KEYLENS_SYSTEMS_TRANSLATOR_TRAINING_TEXT_VARIETY_H_
