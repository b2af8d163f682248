#ifndef KEYLENS_SYSTEMS_TRANSLATOR_TEXT_WHITE_SPACE_H_
#define KEYLENS_SYSTEMS_TRANSLATOR_TEXT_WHITE_SPACE_H_

#include <string_view>
#include <vector>

namespace keylens::translator {

// Whether Unicode calls the character white space, or one of the four
// separators U+001C to U+001F: where Python's str.split(), on which the
// measures of translations are defined, splits.
bool IsWhiteSpace(char32_t code);

// The runs of `text` without white space.
std::vector<std::string_view> SplitAtWhiteSpace(std::string_view text);

}  // namespace keylens::translator

#endif  // KEYLENS_SYSTEMS_TRANSLATOR_TEXT_WHITE_SPACE_H_
