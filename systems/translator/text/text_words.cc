#include "systems/translator/text/text_words.h"

#include <algorithm>

#include "systems/translator/text/white_space.h"

namespace keylens::translator {
namespace {

constexpr std::size_t kShortestName = 3;

bool IsWordCharacter(const std::vector<PlacedCharacter>& characters,
                     std::size_t i) {
  const char32_t code = characters[i].code;
  if (IsWhiteSpace(code)) return false;
  if (!IsPunctuation(code)) return true;
  return (code == '.' || code == ',' || code == ':') && i > 0 &&
         i + 1 < characters.size() && IsAsciiDigit(characters[i - 1].code) &&
         IsAsciiDigit(characters[i + 1].code);
}

// Letters of ASCII, and those of Latin-1 in UTF-8 (C3 xx), whose small ones lie
// 0x20 above the capital ones; "ß" has none.
std::string WithInitial(std::string_view text, bool small) {
  std::string changed(text);
  const std::vector<PlacedCharacter> characters =
      CharactersOf(text.substr(0, 4));
  if (characters.empty()) return changed;
  const char32_t code = characters[0].code;
  if (code >= 0x100 || code == 0xDF || code == 0xFF) return changed;
  if (small ? !IsUpper(code) : !IsLower(code)) return changed;
  char& last = changed[characters[0].end - 1];
  last = static_cast<char>(small ? last + 0x20 : last - 0x20);
  return changed;
}

}  // namespace

std::vector<TextRange> TextWords(std::string_view text) {
  const std::vector<PlacedCharacter> characters = CharactersOf(text);
  std::vector<TextRange> words;
  for (std::size_t i = 0; i < characters.size(); ++i) {
    if (!IsWordCharacter(characters, i)) continue;
    if (words.empty() || words.back().end != characters[i].begin) {
      words.push_back({characters[i].begin, characters[i].end});
    } else {
      words.back().end = characters[i].end;
    }
  }
  return words;
}

std::vector<TextRange> PlacesOf(std::string_view text, std::string_view word) {
  std::vector<TextRange> places = TextWords(text);
  std::erase_if(places,
                [&](const TextRange& range) { return range.In(text) != word; });
  return places;
}

bool HasWord(std::string_view text, std::string_view word) {
  return !PlacesOf(text, word).empty();
}

bool LooksLikeName(std::string_view word) {
  const std::vector<PlacedCharacter> characters = CharactersOf(word);
  return characters.size() >= kShortestName && IsUpper(characters[0].code) &&
         std::all_of(characters.begin() + 1, characters.end(),
                     [](const PlacedCharacter& c) { return IsLower(c.code); });
}

std::string WithReplaced(std::string_view text, TextRange range,
                         std::string_view replacement) {
  std::string changed(text.substr(0, range.begin));
  changed += replacement;
  changed += text.substr(range.end);
  return changed;
}

std::string WithSmallInitial(std::string_view text) {
  return WithInitial(text, true);
}

std::string WithCapitalInitial(std::string_view text) {
  return WithInitial(text, false);
}

}  // namespace keylens::translator
