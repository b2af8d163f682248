#ifndef KEYLENS_SYSTEMS_TRANSLATOR_LINES_KEEP_WORDS_H_
#define KEYLENS_SYSTEMS_TRANSLATOR_LINES_KEEP_WORDS_H_

#include <string_view>
#include <vector>

#include "systems/translator/lines/line_parts.h"
#include "systems/translator/translation_model.h"

namespace keylens::translator {

// A translated part and the line that it is of.
struct PlacedPart {
  std::string_view line;
  TranslatedPart* part = nullptr;
};

// Mends parts that lost a name or a number, as the rules find them: they are
// translated again with stand-ins for what they lost. A candidate is a name if
// the rules are certain, if the translation has a misspelling of it that the
// model is unsure of, or nothing like it, and the model copies it by itself. A
// part that loses a stand-in too stays as it was, unless it lost a number: then
// it is given up, to be planned around its words.
void KeepWords(const TranslationModel& parts, const LanguageRules& rules,
               const std::vector<PlacedPart>& translated,
               const TranslateSettings& settings);

// Whether `translation` is `name` or a misspelling of it: capitalised, with
// more than half of the letters of the longer one, in order.
bool ResemblesName(std::string_view translation, std::string_view name);

}  // namespace keylens::translator

#endif  // KEYLENS_SYSTEMS_TRANSLATOR_LINES_KEEP_WORDS_H_
