#ifndef KEYLENS_SYSTEMS_TRANSLATOR_KEEP_NAMES_H_
#define KEYLENS_SYSTEMS_TRANSLATOR_KEEP_NAMES_H_

#include <string_view>
#include <vector>

#include "systems/translator/line_parts.h"
#include "systems/translator/pipeline_parts.h"

namespace keylens::translator {

// A translated part and the line that it is of.
struct PlacedPart {
  std::string_view line;
  TranslatedPart* part = nullptr;
};

// A small model gets names wrong in a sentence that it leaves alone when it is
// asked for them by themselves ("Anna"). Such words of the vocabulary's rarer
// kind (two pieces or more) that a translation lost take stand-ins, and their
// parts are translated again; a part that loses a stand-in stays as it was.
void KeepNames(const Pipeline::Parts& parts,
               const std::vector<PlacedPart>& translated,
               const TranslateSettings& settings);

}  // namespace keylens::translator

#endif  // KEYLENS_SYSTEMS_TRANSLATOR_KEEP_NAMES_H_
