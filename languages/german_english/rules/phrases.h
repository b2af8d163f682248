#ifndef KEYLENS_LANGUAGES_GERMAN_ENGLISH_RULES_PHRASES_H_
#define KEYLENS_LANGUAGES_GERMAN_ENGLISH_RULES_PHRASES_H_

#include <string_view>
#include <vector>

#include "systems/translator/rules/protected.h"

namespace keylens::german_english {

// What German abbreviates, with what English writes for it, in order and
// without overlap:
//   z. B., d. h., usw.          cut out: "e.g.", "i.e.", "etc."
//   12 km, 75,5 kg, 50 %, 20 €  a number; "12 km lang" is left out and put back
//                               before "long"
//   ca. 300, Nr. 7, Seite 3     a number: "about 300", "No. 7"
//   halb acht                   a clock time: "half past seven"
//   im 19. Jahrhundert          a year: "the 19th century"
//   Dr. Müller, Ludwig II.      a person, by name and number or title
std::vector<translator::Protected> AbbreviatedPhrases(std::string_view text);

}  // namespace keylens::german_english

#endif  // KEYLENS_LANGUAGES_GERMAN_ENGLISH_RULES_PHRASES_H_
