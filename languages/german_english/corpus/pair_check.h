#ifndef KEYLENS_LANGUAGES_GERMAN_ENGLISH_CORPUS_PAIR_CHECK_H_
#define KEYLENS_LANGUAGES_GERMAN_ENGLISH_CORPUS_PAIR_CHECK_H_

#include "languages/german_english/corpus/pair.h"

namespace keylens::german_english {

// More words than this on a side, and a pair is left out.
inline constexpr int kMaxWords = 60;

// Why a pair of plain texts (ToPlainText) is not for the data set, in a few
// words that name the step of the cleaning; null where nothing is wrong.
const char* WhyUnfit(const Pair& pair);

// Whether the two sides have other numbers: the digits of one, in their order
// and whatever stands between them, are not those of the other.
bool HasOtherNumbers(const Pair& pair);

// Whether a side holds what no prose has: markup, variables, addresses.
bool HasMarkup(const Pair& pair);

}  // namespace keylens::german_english

#endif  // KEYLENS_LANGUAGES_GERMAN_ENGLISH_CORPUS_PAIR_CHECK_H_
