#include "systems/translator/names.h"

#include <algorithm>
#include <cstddef>
#include <string>

namespace keylens::translator {
namespace {

constexpr std::size_t kShortestName = 3;

bool IsLetter(char32_t code) { return IsUpper(code) || IsLower(code); }

bool LooksLikeName(const std::vector<PlacedCharacter>& characters,
                   std::size_t first, std::size_t last) {
  if (last - first < kShortestName || !IsUpper(characters[first].code))
    return false;
  for (std::size_t i = first + 1; i < last; ++i)
    if (!IsLower(characters[i].code)) return false;
  return true;
}

// Whether a word may end or begin beside character i.
bool IsApart(const std::vector<PlacedCharacter>& characters, std::size_t i) {
  const char32_t code = characters[i].code;
  return !IsLetter(code) && !IsAsciiDigit(code) && code != '-' &&
         code != '\'' && code != 0x2019;
}

}  // namespace

std::vector<Protected> CapitalisedWords(std::string_view text) {
  const std::vector<PlacedCharacter> characters = CharactersOf(text);
  std::vector<Protected> words;
  for (std::size_t first = 0; first < characters.size();) {
    std::size_t last = first;
    while (last < characters.size() && !IsApart(characters, last)) ++last;
    if (LooksLikeName(characters, first, last)) {
      const TextRange range = {characters[first].begin,
                               characters[last - 1].end};
      words.push_back(
          {range, ProtectedKind::kName, std::string(range.In(text))});
    }
    first = std::max(last, first + 1);
  }
  return words;
}

bool HasWord(std::string_view text, std::string_view word) {
  const auto words = CapitalisedWords(text);
  return std::any_of(words.begin(), words.end(), [&](const Protected& found) {
    return found.target == word;
  });
}

std::vector<Protected> MergedWords(const std::vector<Protected>& first,
                                   const std::vector<Protected>& second) {
  std::vector<Protected> merged = first;
  for (const Protected& word : second) {
    const bool overlaps =
        std::any_of(first.begin(), first.end(), [&](const Protected& other) {
          return word.range.begin < other.range.end &&
                 other.range.begin < word.range.end;
        });
    if (!overlaps) merged.push_back(word);
  }
  std::sort(merged.begin(), merged.end(),
            [](const Protected& a, const Protected& b) {
              return a.range.begin < b.range.begin;
            });
  return merged;
}

}  // namespace keylens::translator
