#ifndef KEYLENS_SYSTEMS_TRANSLATOR_TEXT_CHARACTERS_H_
#define KEYLENS_SYSTEMS_TRANSLATOR_TEXT_CHARACTERS_H_

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace keylens::translator {

// A character of a text and the bytes that it takes.
struct PlacedCharacter {
  char32_t code = 0;
  std::size_t begin = 0, end = 0;
};

// Any bytes are taken: each that is not UTF-8 is a U+FFFD.
std::vector<PlacedCharacter> CharactersOf(std::string_view text);

// Of the alphabets of Europe; other scripts have no case.
bool IsUpper(char32_t code);
bool IsLower(char32_t code);

bool IsAsciiDigit(char32_t code);

// Pictographs, arrows, dingbats, box drawing, musical and other symbols, and
// what joins and modifies emoji: characters that no sentence needs for its
// grammar.
bool IsSymbol(char32_t code);

// Marks that stand before, after or between words: ASCII punctuation, quotes
// of all shapes, dashes, ellipses, inverted marks.
bool IsPunctuation(char32_t code);

// Bytes [begin, end) of a line.
struct TextRange {
  std::size_t begin = 0, end = 0;

  std::string_view In(std::string_view line) const {
    return line.substr(begin, end - begin);
  }
  bool operator==(const TextRange&) const = default;
};

}  // namespace keylens::translator

#endif  // KEYLENS_SYSTEMS_TRANSLATOR_TEXT_CHARACTERS_H_
