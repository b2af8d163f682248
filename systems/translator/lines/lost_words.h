#ifndef KEYLENS_SYSTEMS_TRANSLATOR_LINES_LOST_WORDS_H_
#define KEYLENS_SYSTEMS_TRANSLATOR_LINES_LOST_WORDS_H_

#include <string_view>
#include <vector>

#include "systems/translator/lines/pass_through.h"

namespace keylens::translator {

// A word of a German text that may be a name.
struct NameCandidate {
  Protected word;       // without the s of a genitive: "Toms" is "Tom"
  bool titled = false;  // "Frau Koch": it is one
};

// The words of `text` that may be names, in order: letters alone, one capital
// and then small ones, three at least, no month or weekday, and no article or
// possessive before them. German writes nouns so too; which are names is for
// the model to say.
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

// Whether `word` stands in `text` as a word.
bool HasWord(std::string_view text, std::string_view word);

// Whether `translation` is `name` or a misspelling of it: capitalised, with
// more than half of the letters of the longer one, in order.
bool ResemblesName(std::string_view translation, std::string_view name);

// Both lists, in the order of the text; what overlaps a word of `first` is left
// out of `second`.
std::vector<Protected> MergedWords(const std::vector<Protected>& first,
                                   const std::vector<Protected>& second);

}  // namespace keylens::translator

#endif  // KEYLENS_SYSTEMS_TRANSLATOR_LINES_LOST_WORDS_H_
