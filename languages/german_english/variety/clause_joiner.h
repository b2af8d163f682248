#ifndef KEYLENS_LANGUAGES_GERMAN_ENGLISH_VARIETY_CLAUSE_JOINER_H_
#define KEYLENS_LANGUAGES_GERMAN_ENGLISH_VARIETY_CLAUSE_JOINER_H_

#include <set>
#include <span>
#include <string>

#include "languages/german_english/variety/phrase.h"
#include "src/random/random.h"
#include "systems/translator/text/parallel_text.h"

namespace keylens::german_english {

// Makes longer sentences of short ones: "Ich habe Hunger, und Tom schläft."
// Text of short sentences alone teaches no model what to do with long ones.
class ClauseJoiner {
 public:
  // `text`: what tells words that are always capitalised from those that only
  // begin a sentence.
  explicit ClauseJoiner(std::span<const SentencePair> text);

  // Both, by a conjunction where they are statements, else one after the other.
  SentencePair Join(const SentencePair& first, const SentencePair& second,
                    Random& random) const;

  // A statement as the object of another: "Ich glaube, Tom schläft."
  SentencePair Embed(const SentencePair& statement, Random& random) const;

 private:
  // Of a sentence, as it stands within another.
  std::string GermanWithin(const SentencePair& pair) const;
  std::string EnglishWithin(const SentencePair& pair) const;

  std::set<std::string, std::less<>> small_german_, small_english_;
};

}  // namespace keylens::german_english

#endif  // KEYLENS_LANGUAGES_GERMAN_ENGLISH_VARIETY_CLAUSE_JOINER_H_
