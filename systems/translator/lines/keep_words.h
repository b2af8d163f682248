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

// Mends parts that lost a name or a number: they are translated again with
// stand-ins for what they lost. A capitalised word is a name if it has a title
// ("Frau Koch"), if the translation has a misspelling of it that the model is
// unsure of, or nothing like it, and the model copies it by itself. A part that
// loses a stand-in too stays as it was, unless it lost a number: then it is
// left without alternatives, to be planned around its stand-ins.
void KeepWords(const TranslationModel& parts,
               const std::vector<PlacedPart>& translated,
               const TranslateSettings& settings);

}  // namespace keylens::translator

#endif  // KEYLENS_SYSTEMS_TRANSLATOR_LINES_KEEP_WORDS_H_
