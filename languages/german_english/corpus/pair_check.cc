#include "languages/german_english/corpus/pair_check.h"

#include <glib.h>

#include <algorithm>
#include <string>
#include <string_view>

#include "languages/german_english/corpus/language_check.h"
#include "languages/german_english/corpus/plain_text.h"
#include "src/base/utf8.h"

namespace keylens::german_english {
namespace {

int CountSpaces(std::string_view text) {
  return static_cast<int>(std::ranges::count(text, ' '));
}

bool HasLetter(std::string_view text) {
  for (size_t at = 0; at < text.size();) {
    const Utf8Character character = DecodeUtf8(text, at);
    if (g_unichar_isalpha(character.code)) return true;
    at += character.length;
  }
  return false;
}

// One side may have 2.5 times the characters of the other; of short texts, 15
// more ("Ja." is "Yes, I do.").
bool LengthsDiffer(const Pair& pair) {
  const int english = CountCharacters(pair.english);
  const int german = CountCharacters(pair.german);
  const int longer = std::max(english, german);
  const int shorter = std::min(english, german);
  return longer > shorter + 15 && 2 * longer > 5 * shorter;
}

std::string Digits(std::string_view text) {
  std::string digits;
  for (const char c : text) {
    if (c >= '0' && c <= '9') digits += c;
  }
  return digits;
}

bool HasMarkup(std::string_view text) {
  return text.find_first_of("<>[]{}|\\@#$%^_~=*/&+\t") != text.npos ||
         text.find("://") != text.npos || text.find("www.") != text.npos;
}

}  // namespace

const char* WhyUnfit(const Pair& pair) {
  if (!HasLetter(pair.english) || !HasLetter(pair.german)) return "no letters";
  if (pair.english.find("\uFFFD") != std::string::npos ||
      pair.german.find("\uFFFD") != std::string::npos) {
    return "not UTF-8";
  }
  if (CountSpaces(pair.english) >= kMaxWords ||
      CountSpaces(pair.german) >= kMaxWords) {
    return "too long";
  }
  if (LengthsDiffer(pair)) return "lengths differ";
  if (pair.english == pair.german && !LooksLikeName(pair.english)) {
    return "the same on both sides";
  }
  if (IsInWrongLanguage(pair)) return "wrong language";
  return nullptr;
}

bool HasOtherNumbers(const Pair& pair) {
  return Digits(pair.english) != Digits(pair.german);
}

bool HasMarkup(const Pair& pair) {
  return HasMarkup(std::string_view(pair.english)) ||
         HasMarkup(std::string_view(pair.german));
}

}  // namespace keylens::german_english
