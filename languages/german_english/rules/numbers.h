#ifndef KEYLENS_LANGUAGES_GERMAN_ENGLISH_RULES_NUMBERS_H_
#define KEYLENS_LANGUAGES_GERMAN_ENGLISH_RULES_NUMBERS_H_

#include <string>
#include <string_view>
#include <vector>

#include "systems/translator/rules/protected.h"
#include "systems/translator/text/characters.h"

namespace keylens::german_english {

using translator::Protected;
using translator::TextRange;

// A German number as English writes it: "1.234,5" is "1,234.5". Text that is
// no such number stays.
std::string EnglishNumber(std::string_view number);

// Whether the number is a clock time: "14:30", from 0:00 to 23:59, or 24:00;
// with a point, as in "9.05", only before "Uhr": without it that is a date or a
// decimal of another language.
bool IsClockTime(std::string_view text, TextRange number);

// Whether `word` is a year that people speak of, 1000 to 2099.
bool IsYear(std::string_view word);

// Whether the number is one that a translator may read and write itself: up to
// six digits, with marks for thousands or a fraction of one or two digits, or a
// clock time. Others, such as telephone numbers, have no grammar.
bool IsOrdinaryNumber(std::string_view text, TextRange number);

// A number to carry over: a clock time, a year, or any other in English.
Protected NumberWord(std::string_view text, TextRange number);

// The ordinary numbers of a text, in order.
std::vector<TextRange> OrdinaryNumbers(std::string_view text);

// The ordinary numbers of a German text that its translation does not have,
// each as often as it stands there. Up to twelve they may be spelt out ("two",
// "second").
std::vector<TextRange> LostNumbers(std::string_view german,
                                   std::string_view english);

}  // namespace keylens::german_english

#endif  // KEYLENS_LANGUAGES_GERMAN_ENGLISH_RULES_NUMBERS_H_
