#include "languages/german_english/rules/lost_words.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>

#include "languages/german_english/rules/calendar.h"
#include "languages/german_english/rules/numbers.h"
#include "systems/translator/text/text_words.h"

namespace keylens::german_english {
namespace {

using translator::CharactersOf;
using translator::HasWord;
using translator::IsUpper;
using translator::TextWords;
using translator::WithSmallInitial;

constexpr std::size_t kShortestName = 3;

constexpr std::string_view kTitles[] = {"Herr",     "Herrn",     "Frau",
                                        "Fräulein", "Familie",   "Doktor",
                                        "Dr",       "Professor", "Prof"};

// In English; empty for what is no month.
std::string_view MonthOf(std::string_view word) {
  for (const auto& [german, english] : kMonths)
    if (german == word) return english;
  return "";
}

bool IsWeekday(std::string_view word) {
  return std::ranges::any_of(
      kWeekdays, [&](const CalendarName& day) { return day.german == word; });
}

// After these a place is more likely than a person.
constexpr std::string_view kBeforePlaces[] = {"in", "nach", "aus",
                                              "In", "Nach", "Aus"};

// Words after which a capitalised word is a noun; possessives and articles are
// recognised by how they begin.
constexpr std::string_view kContractions[] = {"im",  "am",  "zum",  "zur",
                                              "ins", "vom", "beim", "ans"};
constexpr std::string_view kDeterminers[] = {
    "ein",  "kein", "mein", "dein", "sein", "ihr",  "unser",
    "euer", "eur",  "dies", "jed",  "jen",  "welch"};
constexpr std::string_view kEndings[] = {"", "e", "en", "em", "er", "es"};
constexpr std::string_view kArticles[] = {"der", "die", "das",
                                          "den", "dem", "des"};

template <std::size_t N>
bool IsOneOf(const std::string_view (&words)[N], std::string_view word) {
  return std::find(std::begin(words), std::end(words), word) != std::end(words);
}

bool IsDeterminer(std::string_view word) {
  const std::string small = WithSmallInitial(word);
  if (IsOneOf(kArticles, small) || IsOneOf(kContractions, small)) return true;
  return std::any_of(
      std::begin(kDeterminers), std::end(kDeterminers),
      [&](std::string_view stem) {
        return small.starts_with(stem) &&
               IsOneOf(kEndings, std::string_view(small).substr(stem.size()));
      });
}

// Whether a hyphen or an apostrophe ties the word to another.
bool IsTied(std::string_view text, TextRange range) {
  const auto ties = [](char c) { return c == '-' || c == '\''; };
  return (range.begin > 0 && ties(text[range.begin - 1])) ||
         (range.end < text.size() && ties(text[range.end]));
}

// "Toms Auto": a word in s before a noun.
bool IsGenitive(std::string_view text, TextRange range, std::string_view next) {
  const std::string_view word = range.In(text);
  return word.size() > kShortestName && word.ends_with('s') &&
         !word.ends_with("ss") && !next.empty() &&
         IsUpper(CharactersOf(next).front().code) &&
         text.substr(range.end).starts_with(" ");
}

// Letters of French that no German word has of its own.
bool IsFrenchLetter(char32_t code) {
  constexpr std::u32string_view kLetters = U"àâçèéêëîïôùûÀÂÇÈÉÊËÎÏÔÙÛ";
  return kLetters.find(code) != kLetters.npos;
}

bool IsGermanLetter(char32_t code) {
  constexpr std::u32string_view kUmlauts = U"äöüßÄÖÜ";
  return code < 0x80 || kUmlauts.find(code) != kUmlauts.npos;
}

ProtectedKind KindAfter(std::string_view before) {
  return IsOneOf(kBeforePlaces, before) ? ProtectedKind::kPlace
                                        : ProtectedKind::kPerson;
}

// The word before the one that begins at byte `at`.
std::string_view WordBefore(std::string_view text, std::size_t at) {
  std::string_view before;
  for (const TextRange& range : TextWords(text.substr(0, at)))
    before = range.In(text);
  return before;
}

}  // namespace

bool IsLoanword(std::string_view text, TextRange word) {
  const auto characters = CharactersOf(word.In(text));
  return IsDeterminer(WordBefore(text, word.begin)) &&
         std::all_of(characters.begin(), characters.end(), [](const auto& c) {
           return IsGermanLetter(c.code) || IsFrenchLetter(c.code);
         });
}

ProtectedKind NameKind(std::string_view text, TextRange word) {
  return KindAfter(WordBefore(text, word.begin));
}

std::vector<NameCandidate> NameCandidates(std::string_view text) {
  const std::vector<TextRange> words = TextWords(text);
  std::vector<NameCandidate> names;
  for (std::size_t i = 0; i < words.size(); ++i) {
    TextRange range = words[i];
    const std::string_view before = i > 0 ? words[i - 1].In(text) : "";
    if (!translator::LooksLikeName(range.In(text)) || IsTied(text, range) ||
        IsDeterminer(before) || IsWeekday(range.In(text)) ||
        !MonthOf(range.In(text)).empty())
      continue;
    const bool genitive = IsGenitive(
        text, range, i + 1 < words.size() ? words[i + 1].In(text) : "");
    // A sentence begins with a capital, whatever its first word is.
    if (i == 0 && !genitive) continue;
    if (genitive) --range.end;
    NameCandidate& name = names.emplace_back();
    name.word = {range, KindAfter(before), std::string(range.In(text))};
    name.certain = IsOneOf(kTitles, before);
  }
  return names;
}

std::vector<NameCandidate> LostNames(std::string_view text,
                                     std::string_view translation) {
  std::vector<NameCandidate> names = NameCandidates(text);
  std::erase_if(names, [&](const NameCandidate& name) {
    return HasWord(translation, name.word.target);
  });
  return names;
}

std::vector<Protected> NumberWords(std::string_view text) {
  std::vector<Protected> words;
  for (const TextRange& range : OrdinaryNumbers(text))
    words.push_back(NumberWord(text, range));
  return words;
}

std::vector<Protected> LostNumberWords(std::string_view text,
                                       std::string_view translation) {
  std::vector<Protected> words;
  for (const TextRange& range : LostNumbers(text, translation))
    words.push_back(NumberWord(text, range));
  return words;
}

std::vector<Protected> DateWords(std::string_view text) {
  const std::vector<TextRange> words = TextWords(text);
  std::vector<Protected> dates;
  for (std::size_t i = 0; i + 1 < words.size(); ++i) {
    const std::string_view day = words[i].In(text);
    const std::string_view month = MonthOf(words[i + 1].In(text));
    if (month.empty() || day.size() > 2 || !IsOrdinaryNumber(text, words[i]) ||
        text.substr(words[i].end, words[i + 1].begin - words[i].end) != ". ")
      continue;
    Protected date = {{words[i].begin, words[i + 1].end},
                      ProtectedKind::kNumber,
                      std::string(month) + " "};
    date.target += day;
    const std::string_view before = i > 0 ? words[i - 1].In(text) : "";
    if (before == "am" || before == "Am") {
      date.range.begin = words[i - 1].begin;
      date.target.insert(0, before == "am" ? "on " : "On ");
    }
    if (i + 2 < words.size() && IsYear(words[i + 2].In(text)) &&
        words[i + 2].begin == words[i + 1].end + 1) {
      date.range.end = words[i + 2].end;
      date.target += ", ";
      date.target += words[i + 2].In(text);
    }
    dates.push_back(std::move(date));
  }
  return dates;
}

}  // namespace keylens::german_english
