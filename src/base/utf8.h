#ifndef KEYLENS_SRC_BASE_UTF8_H_
#define KEYLENS_SRC_BASE_UTF8_H_

#include <cstddef>
#include <string>
#include <string_view>

namespace keylens {

// What stands in for bytes that are not UTF-8.
inline constexpr char32_t kReplacementCharacter = 0xFFFD;

// One character of a text.
struct Utf8Character {
  char32_t code = kReplacementCharacter;
  std::size_t length = 0;  // bytes of the text that it takes, at least 1
  bool valid = false;
};

// The character at text[at]; `at` is below text.size(). Overlong forms,
// surrogates, codes over U+10FFFF and characters cut short are not valid: they
// give U+FFFD and a length of one byte.
Utf8Character DecodeUtf8(std::string_view text, std::size_t at);

// Appends `code`, a Unicode scalar value, to `text`.
void AppendUtf8(char32_t code, std::string& text);

bool IsUtf8(std::string_view text);

// The text with U+FFFD for each byte that is not UTF-8.
std::string ToValidUtf8(std::string_view text);

}  // namespace keylens

#endif  // KEYLENS_SRC_BASE_UTF8_H_
