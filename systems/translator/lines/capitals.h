#ifndef KEYLENS_SYSTEMS_TRANSLATOR_LINES_CAPITALS_H_
#define KEYLENS_SYSTEMS_TRANSLATOR_LINES_CAPITALS_H_

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "src/text/tokenizer.h"
#include "systems/translator/rules/language_rules.h"
#include "systems/translator/text/edited_text.h"

namespace keylens::translator {

// Text in capitals, which a vocabulary of ordinary text spells letter by
// letter, in the form that the vocabulary knows best: "AUTO" is "Auto", "DAS"
// is "das", "USA" stays. Of a text that is all in capitals, every word; of
// another, those words of four letters and more that are one piece so.
// `words`: what is left alone.
struct Recased {
  bool all = false;  // the text is all in capitals
  std::vector<TextEdit> edits;
};

Recased RecasedCapitals(std::string_view text, std::span<const TextRange> words,
                        const Tokenizer& tokenizer, const LanguageRules& rules);

// In capitals, but for the ranges of `kept`; letters of ASCII and Latin-1, so
// that no byte moves.
std::string InCapitals(std::string_view text, std::span<const TextRange> kept);

}  // namespace keylens::translator

#endif  // KEYLENS_SYSTEMS_TRANSLATOR_LINES_CAPITALS_H_
