#include "languages/german_english/rules/phrases.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>

#include "languages/german_english/rules/numbers.h"
#include "systems/translator/text/text_words.h"
#include "systems/translator/text/white_space.h"

namespace keylens::german_english {
namespace {

using translator::ProtectedKind;
using translator::TextWords;

struct Entry {
  std::string_view german, english;
};

// Without the spaces that may stand behind their points.
constexpr Entry kAdverbs[] = {
    {"z.B.", "e.g."},         {"Z.B.", "E.g."},
    {"D.h.", "I.e."},         {"d.h.", "i.e."},
    {"u.a.", "among others"}, {"usw.", "etc."},
    {"u.s.w.", "etc."},       {"s.o.", "see above"},
    {"s.u.", "see below"},    {"i.d.R.", "as a rule"},
    {"o.Ä.", "or the like"},  {"u.Ä.", "and the like"}};

// Units as both languages write them; "Grad" and the like are words.
constexpr std::string_view kUnits[] = {
    "km", "m",  "cm", "mm", "km/h", "m/s", "m²", "km²", "m³", "kg",
    "g",  "mg", "t",  "l",  "ml",   "cl",  "s",  "ms",  "h",  "min",
    "kB", "KB", "MB", "GB", "TB",   "W",   "kW", "kWh", "V",  "A",
    "Hz", "°C", "°F", "°",  "ha",   "cm²", "dB", "GHz", "MHz"};
constexpr Entry kCurrencies[] = {{"€", "€"}, {"$", "$"}, {"£", "£"}};

// Adjectives and comparatives that a measure stands before: "12 km lang".
constexpr std::string_view kMeasured[] = {
    "lang",      "lange",    "groß",     "hoch",    "breit",    "tief",
    "dick",      "schwer",   "weit",     "schnell", "alt",      "entfernt",
    "warm",      "kalt",     "mehr",     "weniger", "länger",   "kürzer",
    "größer",    "kleiner",  "höher",    "teurer",  "billiger", "schneller",
    "langsamer", "schwerer", "leichter", "älter",   "jünger",   "stark"};

// Before a number.
constexpr Entry kBeforeNumbers[] = {{"ca.", "about"},     {"Nr.", "No."},
                                    {"max.", "at most"},  {"mind.", "at least"},
                                    {"min.", "at least"}, {"Abb.", "fig."},
                                    {"Kap.", "chapter"}};

constexpr Entry kTitles[] = {{"Dr.", "Dr."}, {"Prof.", "Prof."}};
constexpr Entry kRulers[] = {{"König", "King"},     {"Königin", "Queen"},
                             {"Kaiser", "Emperor"}, {"Kaiserin", "Empress"},
                             {"Papst", "Pope"},     {"Zar", "Tsar"}};

constexpr std::string_view kHours[] = {"eins", "zwei",  "drei",   "vier",
                                       "fünf", "sechs", "sieben", "acht",
                                       "neun", "zehn",  "elf",    "zwölf"};
constexpr std::string_view kEnglishHours[] = {
    "one",   "two",   "three", "four", "five",   "six",
    "seven", "eight", "nine",  "ten",  "eleven", "twelve"};

template <typename Words>
bool Contains(const Words& words, std::string_view word) {
  return std::find(std::begin(words), std::end(words), word) != std::end(words);
}

template <std::size_t N>
const Entry* Find(const Entry (&entries)[N], std::string_view german) {
  const auto* found =
      std::find_if(std::begin(entries), std::end(entries),
                   [&](const Entry& entry) { return entry.german == german; });
  return found == std::end(entries) ? nullptr : found;
}

bool IsRomanNumeral(std::string_view word) {
  return !word.empty() && word.find_first_not_of("IVX") == word.npos;
}

std::string OrdinalEnding(int number) {
  if (number % 100 >= 11 && number % 100 <= 13) return "th";
  constexpr std::string_view kEndings[] = {"th", "st", "nd", "rd"};
  return std::string(kEndings[number % 10 < 4 ? number % 10 : 0]);
}

// A run without white space, and without the punctuation that ends a clause
// behind it.
struct Token {
  TextRange range, bare;

  std::string_view In(std::string_view text) const { return range.In(text); }
  std::string_view Bare(std::string_view text) const { return bare.In(text); }
};

std::vector<Token> TokensOf(std::string_view text) {
  std::vector<Token> tokens;
  for (const std::string_view word : translator::SplitAtWhiteSpace(text)) {
    Token& token = tokens.emplace_back();
    token.range.begin = static_cast<std::size_t>(word.data() - text.data());
    token.range.end = token.range.begin + word.size();
    token.bare = token.range;
    while (token.bare.end > token.bare.begin &&
           std::string_view(".,;:!?)\"'").find(text[token.bare.end - 1]) !=
               std::string_view::npos)
      --token.bare.end;
  }
  return tokens;
}

class PhraseFinder {
 public:
  explicit PhraseFinder(std::string_view text)
      : text_(text), tokens_(TokensOf(text)) {}

  std::vector<Protected> Run() {
    for (std::size_t i = 0; i < tokens_.size();) i += std::max(1, TakeAt(i));
    return std::move(found_);
  }

 private:
  // Takes a phrase that begins at token i; how many tokens it has.
  int TakeAt(std::size_t i) {
    for (const auto take :
         {&PhraseFinder::TakeAdverb, &PhraseFinder::TakeCentury,
          &PhraseFinder::TakeHalfHour, &PhraseFinder::TakePerson,
          &PhraseFinder::TakeNumber})
      if (const int taken = (this->*take)(i)) return taken;
    return 0;
  }

  std::string_view Word(std::size_t i) const {
    return i < tokens_.size() ? tokens_[i].In(text_) : std::string_view();
  }
  std::string_view Bare(std::size_t i) const {
    return i < tokens_.size() ? tokens_[i].Bare(text_) : std::string_view();
  }

  void Add(TextRange range, ProtectedKind kind, std::string target) {
    found_.push_back({range, kind, std::move(target)});
  }
  TextRange From(std::size_t i, TextRange last) const {
    return {tokens_[i].range.begin, last.end};
  }

  // "z. B." is two tokens, "z.B." one; a comma may follow.
  int TakeAdverb(std::size_t i) {
    std::string joined;
    for (std::size_t k = i; k < i + 3 && k < tokens_.size(); ++k) {
      std::string_view word = Word(k);
      const std::size_t point = word.rfind('.');
      if (point == word.npos) return 0;
      joined += word.substr(0, point + 1);
      if (const Entry* entry = Find(kAdverbs, joined)) {
        Add(From(i, {0, tokens_[k].range.begin + point + 1}),
            ProtectedKind::kCut, std::string(entry->english));
        return static_cast<int>(k - i) + 1;
      }
      if (point + 1 != word.size()) return 0;
    }
    return 0;
  }

  // English has its article behind the preposition that a year has too.
  int TakeCentury(std::size_t i) {
    const std::string_view number = Bare(i + 1);
    if ((Word(i) != "im" && Word(i) != "Im") || !Word(i + 1).ends_with('.') ||
        number.size() > 2 || !IsInteger(number) || Bare(i + 2) != "Jahrhundert")
      return 0;
    const int century = std::stoi(std::string(number));
    Add(From(i, tokens_[i + 2].bare), ProtectedKind::kYear,
        fmt::format("the {}{} century", century, OrdinalEnding(century)));
    return 3;
  }

  int TakeHalfHour(std::size_t i) {
    if (Word(i) != "halb") return 0;
    const auto* hour =
        std::find(std::begin(kHours), std::end(kHours), Bare(i + 1));
    if (hour == std::end(kHours)) return 0;
    const auto before = (hour - std::begin(kHours) + 11) % 12;
    Add(From(i, tokens_[i + 1].bare), ProtectedKind::kClockTime,
        fmt::format("half past {}", kEnglishHours[before]));
    return 2;
  }

  // "König Ludwig II.", "Ludwig II.", "Prof. Dr. Müller".
  int TakePerson(std::size_t i) {
    std::size_t name = i;
    std::string titles;
    const Entry* ruler = Find(kRulers, Word(i));
    if (ruler != nullptr) ++name;
    while (const Entry* title = Find(kTitles, Word(name))) {
      titles += std::string(title->english) + " ";
      ++name;
    }
    if (!translator::LooksLikeName(Bare(name))) return 0;
    const std::string target(Bare(name));
    if (!titles.empty() && ruler == nullptr) {
      Add(From(i, tokens_[name].bare), ProtectedKind::kPerson, titles + target);
      return static_cast<int>(name - i) + 1;
    }
    const std::string_view numeral = Bare(name + 1);
    if (!IsRomanNumeral(numeral) || !Word(name + 1).ends_with('.') ||
        Bare(name) != Word(name))
      return 0;
    TextRange last = tokens_[name + 1].bare;
    // At the end of the text the point is the sentence's too.
    if (name + 2 < tokens_.size()) ++last.end;
    Add(From(i, last), ProtectedKind::kPerson,
        fmt::format("{}{}{} {}", ruler == nullptr ? "" : ruler->english,
                    ruler == nullptr ? "" : " ", target, numeral));
    return static_cast<int>(name - i) + 2;
  }

  // A number with what stands before it, or its unit.
  int TakeNumber(std::size_t i) {
    const Entry* before = Find(kBeforeNumbers, Word(i));
    const std::size_t at = i + (before != nullptr ? 1 : 0);
    if (at >= tokens_.size()) return 0;
    auto number = NumberAt(at);
    if (!number) return 0;
    const std::size_t last = MeasureAt(at, *number);
    const bool has_unit = number->kind == ProtectedKind::kNumber;
    if (before == nullptr && !has_unit) return 0;
    if (before != nullptr) {
      number->range.begin = tokens_[i].range.begin;
      number->target = std::string(before->english) + " " + number->target;
    }
    const bool measures = has_unit && Contains(kMeasured, Bare(last + 1)) &&
                          tokens_[last].bare.end == tokens_[last].range.end;
    number->kind =
        measures ? ProtectedKind::kBesideNext : ProtectedKind::kNumber;
    found_.push_back(*std::move(number));
    return static_cast<int>(last - i) + 1;
  }

  static bool IsInteger(std::string_view word) {
    return !word.empty() && std::all_of(word.begin(), word.end(), [](char c) {
      return translator::IsAsciiDigit(static_cast<unsigned char>(c));
    });
  }

  // The number that token i begins with; its kind is kName until a unit is
  // found.
  std::optional<Protected> NumberAt(std::size_t i) const {
    const std::string_view word = Bare(i);
    std::size_t end = 0;
    while (
        end < word.size() &&
        (translator::IsAsciiDigit(static_cast<unsigned char>(word[end])) ||
         ((word[end] == '.' || word[end] == ',') && end + 1 < word.size() &&
          translator::IsAsciiDigit(static_cast<unsigned char>(word[end + 1])))))
      ++end;
    if (end == 0) return std::nullopt;
    const TextRange range = {tokens_[i].range.begin,
                             tokens_[i].range.begin + end};
    return Protected{range, ProtectedKind::kName,
                     EnglishNumber(range.In(text_))};
  }

  // Adds the unit behind `number`, which begins at token i, if there is one;
  // the last token.
  std::size_t MeasureAt(std::size_t i, Protected& number) const {
    const std::string_view rest =
        Bare(i).substr(number.range.end - number.range.begin);
    const bool alone = rest.empty() && tokens_[i].bare == tokens_[i].range;
    const std::string_view unit = alone ? Bare(i + 1) : rest;
    if (!AddUnit(unit, alone, number)) return i;
    number.range.end = alone ? tokens_[i + 1].bare.end : tokens_[i].bare.end;
    return alone ? i + 1 : i;
  }

  static bool AddUnit(std::string_view unit, bool spaced, Protected& number) {
    if (unit == "%") {
      number.target += "%";
    } else if (const Entry* currency = Find(kCurrencies, unit)) {
      number.target = std::string(currency->english) + number.target;
    } else if (Contains(kUnits, unit)) {
      number.target += spaced ? " " : "";
      number.target += unit;
    } else {
      return false;
    }
    number.kind = ProtectedKind::kNumber;
    return true;
  }

  std::string_view text_;
  std::vector<Token> tokens_;
  std::vector<Protected> found_;
};

}  // namespace

std::vector<Protected> AbbreviatedPhrases(std::string_view text) {
  return PhraseFinder(text).Run();
}

}  // namespace keylens::german_english
