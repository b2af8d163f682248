#ifndef KEYLENS_SYSTEMS_TRANSLATOR_TEXT_TEXT_WORDS_H_
#define KEYLENS_SYSTEMS_TRANSLATOR_TEXT_TEXT_WORDS_H_

#include <string>
#include <string_view>
#include <vector>

#include "systems/translator/text/characters.h"

namespace keylens::translator {

// The words and numbers of a text, in order: runs without white space and
// punctuation, but for marks between two digits ("14:30", "1.250,50").
std::vector<TextRange> TextWords(std::string_view text);

// The places where `word`, one that TextWords would give, stands in `text`.
std::vector<TextRange> PlacesOf(std::string_view text, std::string_view word);
bool HasWord(std::string_view text, std::string_view word);

// Whether `word` has the form of a name in Latin letters, or of a noun where
// those are capitalised: one capital and then small letters, three at least.
bool LooksLikeName(std::string_view word);

// A text with `replacement` in the place of `range`.
std::string WithReplaced(std::string_view text, TextRange range,
                         std::string_view replacement);

// With its first letter small or capital.
std::string WithSmallInitial(std::string_view text);
std::string WithCapitalInitial(std::string_view text);

}  // namespace keylens::translator

#endif  // KEYLENS_SYSTEMS_TRANSLATOR_TEXT_TEXT_WORDS_H_
