#include "systems/translator/text/characters.h"

#include <initializer_list>

#include "src/base/utf8.h"

namespace keylens::translator {
namespace {

struct CodeRange {
  char32_t first, last;
};

bool IsIn(char32_t code, std::initializer_list<CodeRange> ranges) {
  for (const CodeRange& range : ranges)
    if (code >= range.first && code <= range.last) return true;
  return false;
}

// In Latin Extended-A upper and lower case alternate; which is even changes at
// three places.
bool IsLatinExtendedUpper(char32_t code) {
  const bool upper_is_odd = IsIn(code, {{0x139, 0x148}, {0x179, 0x17E}});
  return IsIn(code, {{0x100, 0x17E}}) && code != 0x138 && code != 0x149 &&
         (code == 0x178 || (code % 2 == 1) == upper_is_odd);
}

}  // namespace

std::vector<PlacedCharacter> CharactersOf(std::string_view text) {
  std::vector<PlacedCharacter> characters;
  for (std::size_t at = 0; at < text.size();) {
    const Utf8Character character = DecodeUtf8(text, at);
    characters.push_back({character.code, at, at + character.length});
    at += character.length;
  }
  return characters;
}

bool IsUpper(char32_t code) {
  return (IsIn(code,
               {{'A', 'Z'}, {0xC0, 0xDE}, {0x391, 0x3A9}, {0x400, 0x42F}}) &&
          code != 0xD7) ||
         code == 0x1E9E || IsLatinExtendedUpper(code);
}

bool IsLower(char32_t code) {
  return (IsIn(code,
               {{'a', 'z'}, {0xDF, 0xFF}, {0x3AC, 0x3CE}, {0x430, 0x45F}}) &&
          code != 0xF7) ||
         (IsIn(code, {{0x100, 0x17F}}) && !IsLatinExtendedUpper(code));
}

bool IsAsciiDigit(char32_t code) { return code >= '0' && code <= '9'; }

bool IsSymbol(char32_t code) {
  return IsIn(code, {{0x200D, 0x200D},      // zero-width joiner
                     {0x20D0, 0x20FF},      // combining marks for symbols
                     {0x2190, 0x2BFF},      // arrows to miscellaneous symbols
                     {0xE000, 0xF8FF},      // private use
                     {0xFE00, 0xFE0F},      // variation selectors
                     {0x1D100, 0x1D1FF},    // musical symbols
                     {0x1F000, 0x1FAFF},    // emoji
                     {0xE0020, 0xE007F}});  // tags of flags
}

bool IsPunctuation(char32_t code) {
  return IsIn(code, {{'!', '/'},
                     {':', '@'},
                     {'[', '`'},
                     {'{', '~'},
                     {0x2010, 0x2027},
                     {0x2030, 0x205E}}) ||
         code == 0xA1 || code == 0xAB || code == 0xBB || code == 0xBF;
}

}  // namespace keylens::translator
