#ifndef KEYLENS_LANGUAGES_GERMAN_ENGLISH_RULES_SENTENCE_SPLIT_H_
#define KEYLENS_LANGUAGES_GERMAN_ENGLISH_RULES_SENTENCE_SPLIT_H_

#include <string_view>
#include <vector>

#include "systems/translator/text/characters.h"

namespace keylens::german_english {

// The sentences of a German text, without the white space around them.
//
// A sentence ends with . ! ? or an ellipsis, and the quotes and brackets that
// close after it, where white space follows and then no lower-case letter. A
// point after an abbreviation ("z. B.", "Dr."), an initial or a number of up to
// two digits ("am 3. Mai") ends one only where a word follows that is
// capitalised for no other reason than to begin a sentence ("Er", "Und").
std::vector<translator::TextRange> SplitSentences(std::string_view text);

}  // namespace keylens::german_english

#endif  // KEYLENS_LANGUAGES_GERMAN_ENGLISH_RULES_SENTENCE_SPLIT_H_
