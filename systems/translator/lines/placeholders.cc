#include "systems/translator/lines/placeholders.h"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <string>

#include "systems/translator/text/white_space.h"

namespace keylens::translator {
namespace {

constexpr std::size_t kLongest = 400;  // an ICU message with its branches

bool IsDigit(char c) { return c >= '0' && c <= '9'; }
bool IsLetter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
bool IsNameCharacter(char c) { return IsLetter(c) || IsDigit(c) || c == '_'; }

// Reads a text from its beginning.
class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  char Peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  std::size_t at() const { return at_; }
  bool Take(char c) {
    if (Peek() != c || at_ >= text_.size()) return false;
    ++at_;
    return true;
  }
  bool TakeOneOf(std::string_view set) {
    if (at_ >= text_.size() || set.find(Peek()) == set.npos) return false;
    ++at_;
    return true;
  }
  template <typename Test>
  std::size_t TakeWhile(Test test) {
    const std::size_t begin = at_;
    while (at_ < text_.size() && test(text_[at_])) ++at_;
    return at_ - begin;
  }
  // A bracket and what it encloses, nested ones included.
  bool TakeBracketed(char open, char close) {
    if (Peek() != open) return false;
    int depth = 0;
    const std::size_t end = std::min(text_.size(), at_ + kLongest);
    for (std::size_t i = at_; i < end; ++i) {
      if (text_[i] == open) ++depth;
      if (text_[i] == close && --depth == 0) {
        at_ = i + 1;
        return true;
      }
    }
    return false;
  }

 private:
  std::string_view text_;
  std::size_t at_ = 0;
};

// The length of a printf conversion at the beginning of `text`; 0: none. "%1"
// alone is Qt's.
std::size_t PercentLength(std::string_view text) {
  Reader reader(text);
  if (!reader.Take('%')) return 0;
  if (reader.Take('%')) return reader.at();
  if (reader.TakeBracketed('{', '}')) return reader.at();
  if (reader.TakeBracketed('(', ')'))
    return reader.TakeOneOf("sdifrxu") ? reader.at() : 0;
  const std::size_t position = reader.TakeWhile(IsDigit);
  const std::size_t qt = reader.at();
  reader.Take('$');
  reader.TakeWhile([](char c) { return c == '-' || c == '+' || c == '#'; });
  reader.TakeWhile(IsDigit);
  if (reader.Take('.')) reader.TakeWhile(IsDigit);
  reader.TakeWhile([](char c) {
    return std::string_view("hlLqjzt").find(c) != std::string_view::npos;
  });
  if (reader.TakeOneOf("sdiufFeEgGxXoScCpn@")) return reader.at();
  return position > 0 ? qt : 0;
}

std::size_t LengthAt(std::string_view text) {
  Reader reader(text);
  if (text[0] == '%') return PercentLength(text);
  if (text[0] == '{') return reader.TakeBracketed('{', '}') ? reader.at() : 0;
  if (text[0] == '&') {
    reader.Take('&');
    reader.Take('#');
    return reader.TakeWhile(IsNameCharacter) > 0 && reader.Take(';')
               ? reader.at()
               : 0;
  }
  if (text[0] != '$' && text[0] != '#') return 0;
  const bool dollar = reader.Take('$') || !reader.Take('#');
  if (reader.TakeBracketed('{', '}')) return reader.at();
  if (!dollar || !(IsLetter(reader.Peek()) || reader.Peek() == '_')) return 0;
  reader.TakeWhile(IsNameCharacter);
  return reader.at();
}

// "{count}", "%d": what counts something.
bool IsNumeric(std::string_view placeholder) {
  std::string name;
  for (const char c : placeholder)
    name += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  if (name[0] == '%' &&
      std::string_view("diufeg").find(name.back()) != std::string_view::npos)
    return true;
  constexpr std::string_view kCounts[] = {"count", "num",    "total", "anzahl",
                                          "zahl",  "amount", "size"};
  const auto is_part = [&](std::string_view part) {
    return name.find(part) != name.npos;
  };
  return name == "{n}" || name == "${n}" || name == "%n" ||
         std::any_of(std::begin(kCounts), std::end(kCounts), is_part);
}

// Letters and digits that touch the placeholder belong to it: "Datei{0}.txt".
TextRange WithWhatTouches(std::string_view text, TextRange range) {
  const auto touches = [&](std::size_t at) {
    return IsNameCharacter(text[at]) ||
           static_cast<unsigned char>(text[at]) >= 0x80;
  };
  // Punctuation beyond ASCII is no letter: a whole character is looked at.
  const auto characters = CharactersOf(text);
  for (std::size_t i = characters.size(); i-- > 0;) {
    const PlacedCharacter& c = characters[i];
    if (c.end == range.begin && touches(c.begin) && !IsPunctuation(c.code) &&
        !IsWhiteSpace(c.code) && !IsSymbol(c.code))
      range.begin = c.begin;
  }
  for (const PlacedCharacter& c : characters) {
    if (c.begin == range.end && touches(c.begin) && !IsPunctuation(c.code) &&
        !IsWhiteSpace(c.code) && !IsSymbol(c.code))
      range.end = c.end;
  }
  return range;
}

bool IsAfterDigit(std::string_view text, std::size_t at) {
  return at > 0 && IsDigit(text[at - 1]);
}

}  // namespace

std::vector<Protected> FindPlaceholders(std::string_view text) {
  std::vector<Protected> found;
  for (std::size_t at = text.find_first_of("%{$#&"); at < text.size();
       at = text.find_first_of("%{$#&", at)) {
    const std::size_t length = LengthAt(text.substr(at));
    // "50%ig", "100$": no placeholders.
    if (length == 0 || (text[at] != '{' && IsAfterDigit(text, at))) {
      ++at;
      continue;
    }
    const std::string_view bare = text.substr(at, length);
    TextRange range = WithWhatTouches(text, {at, at + length});
    if (!found.empty() && range.begin < found.back().range.end) {
      // They touch: one.
      found.back().range.end = range.end;
      found.back().target = std::string(found.back().range.In(text));
    } else {
      found.push_back({range,
                       bare[0] == '&'    ? ProtectedKind::kCut
                       : IsNumeric(bare) ? ProtectedKind::kNumber
                                         : ProtectedKind::kName,
                       std::string(range.In(text))});
    }
    at = found.back().range.end;
  }
  return found;
}

}  // namespace keylens::translator
