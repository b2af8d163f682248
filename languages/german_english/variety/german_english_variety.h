#ifndef KEYLENS_LANGUAGES_GERMAN_ENGLISH_VARIETY_GERMAN_ENGLISH_VARIETY_H_
#define KEYLENS_LANGUAGES_GERMAN_ENGLISH_VARIETY_GERMAN_ENGLISH_VARIETY_H_

#include "languages/german_english/variety/clause_joiner.h"
#include "languages/german_english/variety/substitution.h"
#include "systems/translator/training/sentence_joiner.h"
#include "systems/translator/training/text_variety.h"

namespace keylens::german_english {

// How much of what is trained on is changed; 0: nothing.
struct VarietyShares {
  double substituted = 0;  // pairs that get other names, numbers and times
  double joined = 0;       // of three pairs in a row: that some are joined
};

// Other names and numbers, and clauses joined as German and English join them.
class GermanEnglishVariety : public translator::TextVariety {
 public:
  GermanEnglishVariety(std::span<const SentencePair> text,
                       VarietyShares shares);

  std::optional<SentencePair> Changed(const SentencePair& pair, uint64_t seed,
                                      uint64_t number) const override;
  bool JoinsPrevious(uint64_t seed, uint64_t number) const override;
  std::optional<SentencePair> Joined(std::span<const SentencePair> pairs,
                                     uint64_t seed,
                                     uint64_t number) const override;

 private:
  double substituted_;
  translator::SentenceJoiner pattern_;
  Substitution substitution_;
  ClauseJoiner joiner_;
};

// Null where both shares are 0.
translator::MakeTextVariety VarietyOf(VarietyShares shares);

}  // namespace keylens::german_english

#endif  // KEYLENS_LANGUAGES_GERMAN_ENGLISH_VARIETY_GERMAN_ENGLISH_VARIETY_H_
