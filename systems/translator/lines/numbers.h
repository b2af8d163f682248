#ifndef KEYLENS_SYSTEMS_TRANSLATOR_LINES_NUMBERS_H_
#define KEYLENS_SYSTEMS_TRANSLATOR_LINES_NUMBERS_H_

#include <string>
#include <string_view>
#include <vector>

#include "systems/translator/text/characters.h"

namespace keylens::translator {

// A German number as English writes it: "1.234,5" is "1,234.5". Text that is
// no such number stays.
std::string EnglishNumber(std::string_view number);

// Whether `word` is a clock time: "14:30", "9.05".
bool IsClockTime(std::string_view word);

// Whether `word` is a year that people speak of, 1000 to 2099.
bool IsYear(std::string_view word);

// Whether `word` is a number that a translator may read and write itself: up to
// six digits, with marks for thousands or a fraction of one or two digits, or a
// clock time. Others, such as telephone numbers, have no grammar.
bool IsOrdinaryNumber(std::string_view word);

// The ordinary numbers of a text, in order.
std::vector<TextRange> OrdinaryNumbers(std::string_view text);

// The ordinary numbers of a German text that its translation does not have,
// each as often as it stands there. Up to twelve they may be spelt out ("two",
// "second").
std::vector<TextRange> LostNumbers(std::string_view german,
                                   std::string_view english);

}  // namespace keylens::translator

#endif  // KEYLENS_SYSTEMS_TRANSLATOR_LINES_NUMBERS_H_
