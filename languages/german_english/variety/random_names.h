#ifndef KEYLENS_LANGUAGES_GERMAN_ENGLISH_VARIETY_RANDOM_NAMES_H_
#define KEYLENS_LANGUAGES_GERMAN_ENGLISH_VARIETY_RANDOM_NAMES_H_

#include <span>
#include <string>
#include <vector>

#include "languages/german_english/variety/phrase.h"
#include "src/random/random.h"
#include "systems/translator/text/parallel_text.h"

namespace keylens::german_english {

// Names to train on that no text has: some are in use, most are made of
// syllables, so that a model learns to copy names rather than to know them.
class RandomNames {
 public:
  // Takes places (single words that are the same on both sides) and nouns
  // (which serve as surnames: "Frau Koch") from the text.
  explicit RandomNames(std::span<const SentencePair> text);

  std::string FirstName(Random& random) const;
  std::string Surname(Random& random) const;
  std::string Place(Random& random) const;

  // A place, or one that each language has a name for: "Wien", "Vienna".
  Phrase PlaceInBoth(Random& random) const;

 private:
  std::vector<std::string> places_, nouns_;
};

}  // namespace keylens::german_english

#endif  // KEYLENS_LANGUAGES_GERMAN_ENGLISH_VARIETY_RANDOM_NAMES_H_
