#include "systems/translator/text/normal_form.h"

#include <glib.h>

#include <algorithm>
#include <memory>

#include "systems/translator/text/characters.h"

namespace keylens::translator {
namespace {

constexpr char32_t kNonJoiner = 0x200C, kJoiner = 0x200D;

// Behind Latin, Greek, Cyrillic and Armenian come the scripts whose letters
// join, and emoji.
constexpr char32_t kFirstJoining = 0x590;

// Text without combining marks, and without letters that decompose otherwise
// than they were composed, is NFC: below U+0300 there are none.
constexpr char32_t kFirstCombining = 0x300;

bool IsIgnorable(char32_t code) {
  return code == 0xAD || code == 0x34F || code == 0x180E || code == 0x200B ||
         code == 0x200E || code == 0x200F ||
         (code >= 0x202A && code <= 0x202E) ||
         (code >= 0x2060 && code <= 0x2064) ||
         (code >= 0x2066 && code <= 0x206F) || code == 0xFEFF;
}

bool Joins(const PlacedCharacter& c) {
  return c.code >= kFirstJoining && !IsIgnorable(c.code) && c.code != kJoiner &&
         c.code != kNonJoiner;
}

std::string WithoutIgnorable(std::string_view line,
                             const std::vector<PlacedCharacter>& characters) {
  std::string kept;
  for (std::size_t i = 0; i < characters.size(); ++i) {
    const PlacedCharacter& c = characters[i];
    const bool joiner = c.code == kJoiner || c.code == kNonJoiner;
    if (IsIgnorable(c.code) ||
        (joiner && (i == 0 || !Joins(characters[i - 1]))))
      continue;
    kept += line.substr(c.begin, c.end - c.begin);
  }
  return kept;
}

// GLib stops at a NUL.
std::string Composed(std::string_view text) {
  std::string composed;
  while (true) {
    const std::size_t end = std::min(text.find('\0'), text.size());
    const std::unique_ptr<char, decltype(&g_free)> form(
        g_utf8_normalize(text.data(), static_cast<gssize>(end),
                         G_NORMALIZE_DEFAULT_COMPOSE),
        &g_free);
    composed += form == nullptr ? std::string(text.substr(0, end))
                                : std::string(form.get());
    if (end == text.size()) return composed;
    composed += '\0';
    text.remove_prefix(end + 1);
  }
}

}  // namespace

std::string NormalForm(std::string_view line) {
  const std::vector<PlacedCharacter> characters = CharactersOf(line);
  const auto at_least = [&](char32_t code) {
    return std::any_of(
        characters.begin(), characters.end(),
        [&](const PlacedCharacter& c) { return c.code >= code; });
  };
  if (!at_least(0xAD)) return std::string(line);
  const std::string kept = WithoutIgnorable(line, characters);
  return at_least(kFirstCombining) ? Composed(kept) : kept;
}

std::string InSmallLetters(std::string_view text) {
  std::string small;
  for (const PlacedCharacter& c : CharactersOf(text)) {
    char bytes[6];  // as g_unichar_to_utf8 asks for
    const gint length = g_unichar_to_utf8(g_unichar_tolower(c.code), bytes);
    small.append(bytes, static_cast<std::size_t>(length));
  }
  return small;
}

}  // namespace keylens::translator
