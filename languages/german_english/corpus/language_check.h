#ifndef KEYLENS_LANGUAGES_GERMAN_ENGLISH_CORPUS_LANGUAGE_CHECK_H_
#define KEYLENS_LANGUAGES_GERMAN_ENGLISH_CORPUS_LANGUAGE_CHECK_H_

#include <string_view>

#include "languages/german_english/corpus/pair.h"

namespace keylens::german_english {

// Whether either side is more likely in the other's language, by its function
// words ("nicht" in an English text) and letters ("ü", unless the same word
// stands on the German side: a name). A text without any sign is believed.
bool IsInWrongLanguage(const Pair& pair);

// Whether every word of the text starts with an uppercase letter or a digit, as
// those of names do.
bool LooksLikeName(std::string_view text);

}  // namespace keylens::german_english

#endif  // KEYLENS_LANGUAGES_GERMAN_ENGLISH_CORPUS_LANGUAGE_CHECK_H_
