#ifndef KEYLENS_LANGUAGES_GERMAN_ENGLISH_VARIETY_RANDOM_PHRASES_H_
#define KEYLENS_LANGUAGES_GERMAN_ENGLISH_VARIETY_RANDOM_PHRASES_H_

#include "languages/german_english/variety/phrase.h"
#include "src/random/random.h"

namespace keylens::german_english {

// A number from 2 to 999,999 with the marks of its language; small ones more
// often. "4.800" is "4,800".
Phrase RandomNumber(Random& random);

// One with a decimal fraction: "7,25" is "7.25".
Phrase RandomDecimal(Random& random);

// When something is: what a sentence in the past, in the future, or in either
// can say ("am Montag" is last Monday or next).
enum class When { kPast, kEither, kFuture };

// "am 9. Juli 1986" is "on July 9, 1986"; weekdays, months, years, clock times,
// and numbers of days before and after now.
Phrase RandomTime(When when, Random& random);

}  // namespace keylens::german_english

#endif  // KEYLENS_LANGUAGES_GERMAN_ENGLISH_VARIETY_RANDOM_PHRASES_H_
