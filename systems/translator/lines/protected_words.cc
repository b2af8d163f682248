#include "systems/translator/lines/protected_words.h"

#include <algorithm>
#include <cstddef>
#include <optional>

#include "systems/translator/lines/placeholders.h"
#include "systems/translator/text/white_space.h"

namespace keylens::translator {
namespace {

constexpr std::size_t kLongestWord = 64;  // the longest in use have about 40
constexpr int kMaxFreeDigits = 2;         // of what is no ordinary number

bool IsAsciiLetter(char32_t code) {
  return (code >= 'a' && code <= 'z') || (code >= 'A' && code <= 'Z');
}

bool IsWordCharacter(char32_t code) {
  return !IsWhiteSpace(code) && !IsPunctuation(code);
}

// "host.tld", perhaps with a path: labels of two characters or more, a last one
// of two to six lower-case letters.
bool IsHost(std::string_view word) {
  const std::string_view host = word.substr(0, word.find('/'));
  const std::size_t dot = host.rfind('.');
  if (dot == std::string_view::npos || dot < 2) return false;
  const std::string_view last = host.substr(dot + 1);
  const auto is_label_character = [](char c) {
    return IsAsciiLetter(static_cast<unsigned char>(c)) || c == '-' ||
           c == '.' || IsAsciiDigit(static_cast<unsigned char>(c));
  };
  return last.size() >= 2 && last.size() <= 6 && host.find("..") == host.npos &&
         std::all_of(last.begin(), last.end(),
                     [](char c) { return c >= 'a' && c <= 'z'; }) &&
         std::all_of(host.begin(), host.end(), is_label_character) &&
         std::any_of(host.begin(), host.end(), [](char c) {
           return IsAsciiLetter(static_cast<unsigned char>(c));
         });
}

bool IsAddress(std::string_view word) {
  const auto has = [&](std::string_view part) {
    return word.find(part) != std::string_view::npos;
  };
  return has("://") || has("@") || has("_") || has("\\") ||
         word.starts_with("www.") || word.starts_with("#") ||
         word.starts_with("/") || IsHost(word);
}

// One run without white space and symbols, looked at without the punctuation
// around it.
class Word {
 public:
  Word(std::string_view text, const std::vector<PlacedCharacter>& characters,
       std::size_t first, std::size_t last, const KnowsCharacter& knows)
      : text_(text), characters_(characters), first_(first), last_(last) {
    while (first_ < last_ && !Keeps(first_)) ++first_;
    while (last_ > first_ && IsPunctuation(characters_[last_ - 1].code) &&
           characters_[last_ - 1].code != '/')
      --last_;
    for (std::size_t i = first_; i < last_; ++i) {
      const char32_t code = characters_[i].code;
      digits_ += IsAsciiDigit(code) ? 1 : 0;
      letters_ += IsWordCharacter(code) && !IsAsciiDigit(code) ? 1 : 0;
      unknown_ = unknown_ || !knows(Text(i, i + 1));
    }
  }

  std::optional<Protected> AsProtected(const LanguageRules& rules) const {
    if (first_ == last_) return std::nullopt;
    const std::string_view word = Text(first_, last_);
    const TextRange range = {characters_[first_].begin,
                             characters_[last_ - 1].end};
    if (rules.IsOrdinaryNumber(text_, range)) return std::nullopt;
    const bool marked = digits_ > 1 && !IsAsciiDigits(word);
    if (letters_ == 0 && (digits_ > kMaxFreeDigits || marked))
      return rules.Number(text_, range);
    if (IsAddress(word) || digits_ > kMaxFreeDigits ||
        last_ - first_ > kLongestWord)
      return Protected{range, ProtectedKind::kName, std::string(word)};
    if (!unknown_) return std::nullopt;
    const auto kind = rules.KindOfRareWord(text_, range);
    if (!kind) return std::nullopt;
    return Protected{range, *kind, std::string(word)};
  }

 private:
  // Punctuation with which an address may begin.
  bool Keeps(std::size_t i) const {
    const char32_t code = characters_[i].code;
    const bool more = i + 1 < last_ && IsWordCharacter(characters_[i + 1].code);
    return !IsPunctuation(code) ||
           (more && (code == '#' || code == '@' || code == '/'));
  }

  static bool IsAsciiDigits(std::string_view word) {
    return std::all_of(word.begin(), word.end(), [](char c) {
      return IsAsciiDigit(static_cast<unsigned char>(c));
    });
  }

  std::string_view Text(std::size_t first, std::size_t last) const {
    return text_.substr(characters_[first].begin,
                        characters_[last - 1].end - characters_[first].begin);
  }

  std::string_view text_;
  const std::vector<PlacedCharacter>& characters_;
  std::size_t first_, last_;
  int digits_ = 0, letters_ = 0;
  bool unknown_ = false;
};

// ":)", ";-)", ":-D": eyes, perhaps a nose, and a mouth.
bool IsEmoticon(std::string_view word) {
  const auto is_one_of = [](char c, std::string_view set) {
    return set.find(c) != set.npos;
  };
  if (word.size() < 2 || word.size() > 3 || !is_one_of(word[0], ":;="))
    return false;
  if (word.size() == 3 && !is_one_of(word[1], "-o^'")) return false;
  return is_one_of(word.back(), ")(DPp|/*");
}

bool IsName(ProtectedKind kind) {
  return kind == ProtectedKind::kPerson || kind == ProtectedKind::kPlace;
}

// Names side by side are one.
std::vector<Protected> WithNamesJoined(std::string_view text,
                                       std::vector<Protected> words) {
  std::vector<Protected> joined;
  for (Protected& word : words) {
    if (!joined.empty() && IsName(word.kind) && IsName(joined.back().kind) &&
        text.substr(joined.back().range.end).starts_with(' ') &&
        joined.back().range.end + 1 == word.range.begin) {
      joined.back().range.end = word.range.end;
      joined.back().target += " " + word.target;
    } else {
      joined.push_back(std::move(word));
    }
  }
  return joined;
}

// Words and symbols of text without placeholders.
std::vector<Protected> FindWords(std::string_view text,
                                 const LanguageRules& rules,
                                 const KnowsCharacter& knows) {
  const std::vector<PlacedCharacter> characters = CharactersOf(text);
  const auto is_symbol = [&](std::size_t i) {
    const PlacedCharacter& c = characters[i];
    return IsSymbol(c.code) && !knows(text.substr(c.begin, c.end - c.begin));
  };
  std::vector<Protected> found;
  for (std::size_t i = 0; i < characters.size();) {
    std::size_t end = i + 1;
    if (is_symbol(i)) {
      while (end < characters.size() && is_symbol(end)) ++end;
      const TextRange range = {characters[i].begin, characters[end - 1].end};
      found.push_back(
          {range, ProtectedKind::kCut, std::string(range.In(text))});
    } else if (!IsWhiteSpace(characters[i].code)) {
      while (end < characters.size() && !IsWhiteSpace(characters[end].code) &&
             !is_symbol(end))
        ++end;
      const TextRange range = {characters[i].begin, characters[end - 1].end};
      if (IsEmoticon(range.In(text))) {
        found.push_back(
            {range, ProtectedKind::kCut, std::string(range.In(text))});
      } else if (auto word =
                     Word(text, characters, i, end, knows).AsProtected(rules)) {
        found.push_back(*std::move(word));
      }
    }
    i = end;
  }
  return found;
}

}  // namespace

std::vector<Protected> FindProtected(std::string_view text,
                                     const LanguageRules& rules,
                                     const KnowsCharacter& knows) {
  const std::vector<Protected> words = FindWords(text, rules, knows);
  // An address may have what looks like a placeholder in it.
  std::vector<Protected> placeholders = FindPlaceholders(text);
  std::erase_if(placeholders, [&](const Protected& placeholder) {
    return std::any_of(words.begin(), words.end(), [&](const Protected& word) {
      return word.range.begin < placeholder.range.begin &&
             placeholder.range.end <= word.range.end &&
             word.target.find("://") != std::string::npos;
    });
  });
  return WithNamesJoined(text, MergedWords(placeholders, words));
}

}  // namespace keylens::translator
