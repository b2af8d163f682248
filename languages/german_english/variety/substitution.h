#ifndef KEYLENS_LANGUAGES_GERMAN_ENGLISH_VARIETY_SUBSTITUTION_H_
#define KEYLENS_LANGUAGES_GERMAN_ENGLISH_VARIETY_SUBSTITUTION_H_

#include <optional>
#include <set>
#include <span>
#include <string>

#include "languages/german_english/variety/phrase.h"
#include "languages/german_english/variety/random_names.h"
#include "src/random/random.h"
#include "systems/translator/text/parallel_text.h"

namespace keylens::german_english {

// Gives pairs of sentences other names, numbers and times, the same on both
// sides, so that a model learns to carry over those that it never saw. What it
// replaces:
//   a name that both sides have, or its genitive    Toms Auto - Tom's car
//   "er", "sie", "ihn", "ihm" by a name             Ich kenne ihn. - I know
//   him. "hier", "dort", "nach Hause" by a place         Er ist hier. - He is
//   here. a number that both sides have, in digits or words   zwei - two
//   "gestern", "heute", "morgen" by another time    heute - today
// A pair with two candidates of a kind on a side is left alone there.
class Substitution {
 public:
  // `text`: what tells names from other words that both languages share.
  explicit Substitution(std::span<const SentencePair> text);

  // `pair` with something else in it; none where there is nothing to replace.
  std::optional<SentencePair> Apply(const SentencePair& pair,
                                    Random& random) const;

  bool IsName(const std::string& word) const { return known_.contains(word); }
  const RandomNames& names() const { return names_; }

 private:
  bool ReplaceNames(SentencePair& pair, Random& random) const;
  bool ReplaceWords(SentencePair& pair, Random& random) const;

  RandomNames names_;
  std::set<std::string, std::less<>> known_;
};

}  // namespace keylens::german_english

#endif  // KEYLENS_LANGUAGES_GERMAN_ENGLISH_VARIETY_SUBSTITUTION_H_
