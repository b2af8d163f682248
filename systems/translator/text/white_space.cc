#include "systems/translator/text/white_space.h"

#include <cstddef>

#include "src/base/utf8.h"

namespace keylens::translator {

bool IsWhiteSpace(char32_t code) {
  return (code >= 0x09 && code <= 0x0D) || (code >= 0x1C && code <= 0x20) ||
         code == 0x85 || code == 0xA0 || code == 0x1680 ||
         (code >= 0x2000 && code <= 0x200A) || code == 0x2028 ||
         code == 0x2029 || code == 0x202F || code == 0x205F || code == 0x3000;
}

std::vector<std::string_view> SplitAtWhiteSpace(std::string_view text) {
  std::vector<std::string_view> words;
  std::size_t begin = 0;
  for (std::size_t at = 0; at < text.size();) {
    const Utf8Character character = DecodeUtf8(text, at);
    if (IsWhiteSpace(character.code)) {
      if (at > begin) words.push_back(text.substr(begin, at - begin));
      begin = at + character.length;
    }
    at += character.length;
  }
  if (begin < text.size()) words.push_back(text.substr(begin));
  return words;
}

}  // namespace keylens::translator
