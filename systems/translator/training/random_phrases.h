#ifndef KEYLENS_SYSTEMS_TRANSLATOR_TRAINING_RANDOM_PHRASES_H_
#define KEYLENS_SYSTEMS_TRANSLATOR_TRAINING_RANDOM_PHRASES_H_

#include "src/random/random.h"
#include "systems/translator/training/phrase.h"

namespace keylens::translator {

// A number from 2 to 999,999 with the marks of its language; small ones more
// often. "1.250" is "1,250".
Phrase RandomNumber(Random& random);

// One with a decimal fraction: "89,50" is "89.50".
Phrase RandomDecimal(Random& random);

// When something is: what a sentence in the past, in the future, or in either
// can say ("am Montag" is last Monday or next).
enum class When { kPast, kEither, kFuture };

// "am 3. Mai 2021" is "on May 3, 2021"; weekdays, months, years, clock times,
// and numbers of days before and after now.
Phrase RandomTime(When when, Random& random);

// Since when: "seit 2016" is "since 2016", "seit 3 Jahren" is "for 3 years".
Phrase RandomSince(Random& random);

}  // namespace keylens::translator

#endif  // KEYLENS_SYSTEMS_TRANSLATOR_TRAINING_RANDOM_PHRASES_H_
