#ifndef KEYLENS_SYSTEMS_TRANSLATOR_LINES_PROTECTED_WORDS_H_
#define KEYLENS_SYSTEMS_TRANSLATOR_LINES_PROTECTED_WORDS_H_

#include <functional>
#include <string_view>
#include <vector>

#include "systems/translator/rules/language_rules.h"

// What a translation must carry over as it stands, whatever the model makes of
// it and whatever the languages are: placeholders, addresses, numbers without a
// grammar, words with letters that the vocabulary never saw, emoji.

namespace keylens::translator {

// Whether the vocabulary has a character (given as UTF-8) as one piece or as
// part of one.
using KnowsCharacter = std::function<bool(std::string_view)>;

// In order, without overlap. Symbols (IsSymbol) that the vocabulary does not
// know are cut out, and so are emoticons (":-)"). Words are taken without the
// punctuation around them; one is protected that has the form of an address (a
// URL, an e-mail address, a host, a path, a tag), marks or more than two digits
// unless the rules call it an ordinary number, a character that the vocabulary
// does not know, or more than 64 characters. Words with rare letters in a row
// are one: "Łukasz Żółć".
std::vector<Protected> FindProtected(std::string_view text,
                                     const LanguageRules& rules,
                                     const KnowsCharacter& knows);

}  // namespace keylens::translator

#endif  // KEYLENS_SYSTEMS_TRANSLATOR_LINES_PROTECTED_WORDS_H_
