#ifndef KEYLENS_SYSTEMS_TRANSLATOR_NAMES_H_
#define KEYLENS_SYSTEMS_TRANSLATOR_NAMES_H_

#include <string_view>
#include <vector>

#include "systems/translator/pass_through.h"

namespace keylens::translator {

// The words of `text` that may be names, in order: letters alone, one capital
// and then small ones, three at least. German writes nouns so too; which are
// names is for the model to say.
std::vector<Protected> CapitalisedWords(std::string_view text);

// Whether `word` stands in `text` as a word.
bool HasWord(std::string_view text, std::string_view word);

// Both lists, in the order of the text; what overlaps a word of `first` is left
// out of `second`.
std::vector<Protected> MergedWords(const std::vector<Protected>& first,
                                   const std::vector<Protected>& second);

}  // namespace keylens::translator

#endif  // KEYLENS_SYSTEMS_TRANSLATOR_NAMES_H_
