#ifndef KEYLENS_SYSTEMS_TRANSLATOR_LINES_STAND_INS_H_
#define KEYLENS_SYSTEMS_TRANSLATOR_LINES_STAND_INS_H_

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "systems/translator/rules/language_rules.h"
#include "systems/translator/text/edited_text.h"

namespace keylens::translator {

// A word and the stand-in that took its place.
struct StandIn {
  std::string stand_in;
  Protected original;  // range: of the text that was disguised
};

struct Disguised {
  EditedText text;
  std::vector<StandIn> stand_ins;  // in the order of the text
};

// `text` with `edits` and with stand-ins for `words` (of kinds that take one).
// `attempt`: how many of the first stand-ins of each kind are passed over. None
// where there are more words than stand-ins that the text does not have itself,
// or where one would grow together with what stands beside it.
std::optional<Disguised> Disguise(std::string_view text,
                                  const std::vector<TextEdit>& edits,
                                  const std::vector<Protected>& words,
                                  const LanguageRules& rules, int attempt = 0);

// The edits that put the words back in the places of their stand-ins. None
// unless each stand-in is there exactly once.
std::optional<std::vector<TextEdit>> Undisguise(
    std::string_view translation, const std::vector<StandIn>& stand_ins);

}  // namespace keylens::translator

#endif  // KEYLENS_SYSTEMS_TRANSLATOR_LINES_STAND_INS_H_
