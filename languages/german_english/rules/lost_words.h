#ifndef KEYLENS_LANGUAGES_GERMAN_ENGLISH_RULES_LOST_WORDS_H_
#define KEYLENS_LANGUAGES_GERMAN_ENGLISH_RULES_LOST_WORDS_H_

#include <string_view>
#include <vector>

#include "systems/translator/rules/language_rules.h"

namespace keylens::german_english {

using translator::NameCandidate;
using translator::Protected;
using translator::ProtectedKind;
using translator::TextRange;

// The words of `text` that may be names, in order: letters alone, one capital
// and then small ones, three at least, no month or weekday, and no article or
// possessive before them; the first word only as a genitive. German writes
// nouns so too; which are names is for the model to say.
std::vector<NameCandidate> NameCandidates(std::string_view text);

// Those whose word `translation` does not have.
std::vector<NameCandidate> LostNames(std::string_view text,
                                     std::string_view translation);

// The ordinary numbers of `text`, and those that `translation` does not have.
std::vector<Protected> NumberWords(std::string_view text);
std::vector<Protected> LostNumberWords(std::string_view text,
                                       std::string_view translation);

// The dates of `text` in English, each with its "am": "am 3. Mai 2021" is "on
// May 3, 2021".
std::vector<Protected> DateWords(std::string_view text);

// Whether the word is one that German has from other languages rather than a
// name: it has an article, and its letters are those of French.
bool IsLoanword(std::string_view text, TextRange word);

// A person, or a place where a preposition of places is before it.
ProtectedKind NameKind(std::string_view text, TextRange word);

}  // namespace keylens::german_english

#endif  // KEYLENS_LANGUAGES_GERMAN_ENGLISH_RULES_LOST_WORDS_H_
