#include "systems/translator/lines/pass_through.h"

#include <algorithm>
#include <cstddef>
#include <span>
#include <utility>

#include "systems/translator/lines/numbers.h"
#include "systems/translator/text/white_space.h"

namespace keylens::translator {
namespace {

constexpr std::size_t kLongestWord = 64;  // the longest in use have about 40
constexpr int kMaxFreeDigits = 2;         // of what is no ordinary number

// Names and numbers that a model of any everyday text knows.
constexpr std::string_view kNames[] = {"Tom", "Boston", "London", "Paris",
                                       "Berlin"};
constexpr std::string_view kPersons[] = {"Tom", "Anna", "Peter", "Paul",
                                         "Emma"};
constexpr std::string_view kPlaces[] = {"Boston", "London", "Paris", "Berlin",
                                        "Hamburg"};
constexpr std::string_view kNumbers[] = {"20", "30", "50", "15", "12"};
constexpr std::string_view kYears[] = {"2010", "1995", "2005", "1980", "2020"};
constexpr std::string_view kClockTimes[] = {"10:30", "9:15", "8:45", "7:30",
                                            "12:15"};

std::span<const std::string_view> StandInsFor(ProtectedKind kind) {
  switch (kind) {
    case ProtectedKind::kPerson:
      return kPersons;
    case ProtectedKind::kPlace:
      return kPlaces;
    case ProtectedKind::kNumber:
      return kNumbers;
    case ProtectedKind::kYear:
      return kYears;
    case ProtectedKind::kClockTime:
      return kClockTimes;
    case ProtectedKind::kName:
    case ProtectedKind::kSymbols:
      break;
  }
  return kNames;
}

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

  std::optional<Protected> AsProtected() const {
    if (first_ == last_) return std::nullopt;
    const std::string_view word = Text(first_, last_);
    const TextRange range = {characters_[first_].begin,
                             characters_[last_ - 1].end};
    if (IsOrdinaryNumber(word)) return std::nullopt;
    if (digits_ > kMaxFreeDigits && letters_ == 0)
      return NumberWord(range, word);
    if (IsAddress(word) || digits_ > kMaxFreeDigits || unknown_ ||
        last_ - first_ > kLongestWord)
      return Protected{range, ProtectedKind::kName, std::string(word)};
    return std::nullopt;
  }

 private:
  // Punctuation with which an address may begin.
  bool Keeps(std::size_t i) const {
    const char32_t code = characters_[i].code;
    const bool more = i + 1 < last_ && IsWordCharacter(characters_[i + 1].code);
    return !IsPunctuation(code) ||
           (more && (code == '#' || code == '@' || code == '/'));
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

bool IsBoundary(std::string_view text, std::size_t at) {
  if (at >= text.size()) return true;
  const auto byte = static_cast<unsigned char>(text[at]);
  return byte < 0x80 && !IsAsciiLetter(byte) && !IsAsciiDigit(byte);
}

// The places where `word` stands as a word.
std::vector<std::size_t> PlacesOf(std::string_view text,
                                  std::string_view word) {
  std::vector<std::size_t> places;
  for (std::size_t at = text.find(word); at != text.npos;
       at = text.find(word, at + 1)) {
    if ((at == 0 || IsBoundary(text, at - 1)) &&
        IsBoundary(text, at + word.size()))
      places.push_back(at);
  }
  return places;
}

}  // namespace

std::vector<Protected> FindProtected(std::string_view text,
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
          {range, ProtectedKind::kSymbols, std::string(range.In(text))});
    } else if (!IsWhiteSpace(characters[i].code)) {
      while (end < characters.size() && !IsWhiteSpace(characters[end].code) &&
             !is_symbol(end))
        ++end;
      if (auto word = Word(text, characters, i, end, knows).AsProtected())
        found.push_back(*std::move(word));
    }
    i = end;
  }
  return found;
}

Protected NumberWord(TextRange range, std::string_view number) {
  if (IsClockTime(number)) {
    std::string time(number);
    std::replace(time.begin(), time.end(), '.', ':');
    return {range, ProtectedKind::kClockTime, std::move(time)};
  }
  return {range, IsYear(number) ? ProtectedKind::kYear : ProtectedKind::kNumber,
          EnglishNumber(number)};
}

std::optional<Disguised> Disguise(std::string_view text,
                                  const std::vector<Protected>& words) {
  Disguised disguised;
  std::size_t copied = 0;
  const auto is_free = [&](std::string_view stand_in) {
    return PlacesOf(text, stand_in).empty() &&
           std::none_of(
               disguised.stand_ins.begin(), disguised.stand_ins.end(),
               [&](const StandIn& used) { return used.stand_in == stand_in; });
  };
  for (const Protected& word : words) {
    const std::span<const std::string_view> pool = StandInsFor(word.kind);
    const auto stand_in = std::find_if(pool.begin(), pool.end(), is_free);
    if (stand_in == pool.end()) return std::nullopt;
    disguised.text += text.substr(copied, word.range.begin - copied);
    disguised.text += *stand_in;
    disguised.stand_ins.push_back({std::string(*stand_in), word});
    copied = word.range.end;
  }
  disguised.text += text.substr(copied);
  return disguised;
}

std::optional<std::string> Undisguise(std::string_view translation,
                                      const std::vector<StandIn>& stand_ins) {
  std::vector<std::pair<std::size_t, const StandIn*>> places;
  for (const StandIn& stand_in : stand_ins) {
    const auto found = PlacesOf(translation, stand_in.stand_in);
    if (found.size() != 1) return std::nullopt;
    places.emplace_back(found[0], &stand_in);
  }
  std::sort(places.begin(), places.end());
  std::string text;
  std::size_t copied = 0;
  for (const auto& [place, stand_in] : places) {
    text += translation.substr(copied, place - copied);
    text += stand_in->original.target;
    copied = place + stand_in->stand_in.size();
  }
  text += translation.substr(copied);
  return text;
}

}  // namespace keylens::translator
