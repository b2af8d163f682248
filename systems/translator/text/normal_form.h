#ifndef KEYLENS_SYSTEMS_TRANSLATOR_TEXT_NORMAL_FORM_H_
#define KEYLENS_SYSTEMS_TRANSLATOR_TEXT_NORMAL_FORM_H_

#include <string>
#include <string_view>

namespace keylens::translator {

// A line of UTF-8 in Unicode's form NFC, without the characters that do not
// show and that no word is spelt with: soft hyphens, zero-width spaces, word
// joiners, byte-order marks, marks of direction. Joiners stay where a script or
// an emoji needs them.
std::string NormalForm(std::string_view line);

// By Unicode's simple mapping, in any script.
std::string InSmallLetters(std::string_view text);

}  // namespace keylens::translator

#endif  // KEYLENS_SYSTEMS_TRANSLATOR_TEXT_NORMAL_FORM_H_
