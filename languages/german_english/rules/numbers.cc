#include "languages/german_english/rules/numbers.h"

#include <algorithm>
#include <cctype>
#include <cstddef>

#include "systems/translator/text/text_words.h"
#include "systems/translator/text/white_space.h"

namespace keylens::german_english {
namespace {

using translator::IsAsciiDigit;
using translator::ProtectedKind;
using translator::TextWords;

constexpr std::size_t kMostDigits = 6;

// Bytes in which "Uhr" is looked for: a space, the word and what ends it.
constexpr std::size_t kUhrWithin = 10;

constexpr std::string_view kCardinals[] = {
    "zero",  "one",   "two",  "three", "four",   "five",  "six",
    "seven", "eight", "nine", "ten",   "eleven", "twelve"};
constexpr std::string_view kOrdinals[] = {
    "zeroth",  "first",  "second", "third", "fourth",   "fifth",  "sixth",
    "seventh", "eighth", "ninth",  "tenth", "eleventh", "twelfth"};

bool IsDigits(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
    return IsAsciiDigit(static_cast<unsigned char>(c));
  });
}

// "1.234.567": groups of three after a first one of one to three.
bool IsGrouped(std::string_view whole) {
  std::size_t point = whole.find('.');
  if (point == whole.npos || point > 3 || !IsDigits(whole.substr(0, point)))
    return false;
  while (point != whole.npos) {
    const std::size_t next = whole.find('.', point + 1);
    const std::string_view group =
        whole.substr(point + 1, next == whole.npos ? next : next - point - 1);
    if (group.size() != 3 || !IsDigits(group)) return false;
    point = next;
  }
  return true;
}

// An English number, or a word, as it is compared: in small letters, without
// the letters of "21st".
std::string Comparable(std::string_view word) {
  std::string text;
  for (const char c : word)
    text += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  if (text.empty() || !IsAsciiDigit(static_cast<unsigned char>(text[0])))
    return text;
  for (const std::string_view ending : {"st", "nd", "rd", "th"}) {
    if (text.ends_with(ending)) text.resize(text.size() - ending.size());
  }
  return text;
}

// With a space of any kind between them.
bool IsBeforeUhr(std::string_view text, TextRange number) {
  const std::vector<TextRange> words =
      TextWords(text.substr(number.end, kUhrWithin));
  if (words.empty()) return false;
  const std::string_view between = text.substr(number.end, words.front().begin);
  return words.front().In(text.substr(number.end)) == "Uhr" &&
         !between.empty() && translator::SplitAtWhiteSpace(between).empty();
}

std::string WithColon(std::string_view time) {
  std::string english(time);
  std::replace(english.begin(), english.end(), '.', ':');
  return english;
}

// What may stand for a German number.
std::vector<std::string> FormsOf(std::string_view text, TextRange range) {
  const std::string_view number = range.In(text);
  std::vector<std::string> forms = {EnglishNumber(number)};
  if (IsDigits(number) && number.size() > 3) {
    std::string grouped(number);
    grouped.insert(number.size() - 3, 1, ',');
    forms.push_back(grouped);
  }
  if (IsClockTime(text, range)) forms.push_back(WithColon(number));
  if (IsDigits(number) && number.size() <= 2) {
    const auto value = static_cast<std::size_t>(std::stoi(std::string(number)));
    forms.push_back(std::to_string(value) + ":00");
    if (value < std::size(kCardinals)) {
      forms.emplace_back(kCardinals[value]);
      forms.emplace_back(kOrdinals[value]);
    }
  }
  return forms;
}

}  // namespace

std::string EnglishNumber(std::string_view number) {
  const std::size_t comma = number.find(',');
  const std::string_view whole = number.substr(0, comma);
  const bool has_fraction = comma != number.npos;
  if (has_fraction && !IsDigits(number.substr(comma + 1)))
    return std::string(number);
  if (!IsGrouped(whole) && !(has_fraction && IsDigits(whole)))
    return std::string(number);
  std::string english(number);
  for (char& c : english) c = c == '.' ? ',' : c == ',' ? '.' : c;
  return english;
}

bool IsClockTime(std::string_view text, TextRange number) {
  const std::string_view word = number.In(text);
  const std::size_t mark = word.find_first_of(":.");
  if (mark == word.npos || mark < 1 || mark > 2 || word.size() != mark + 3 ||
      !IsDigits(word.substr(0, mark)) || !IsDigits(word.substr(mark + 1)))
    return false;
  const int hour = std::stoi(std::string(word.substr(0, mark)));
  const int minute = std::stoi(std::string(word.substr(mark + 1)));
  if (minute > 59 || hour * 60 + minute > 24 * 60) return false;
  return word[mark] == ':' || IsBeforeUhr(text, number);
}

bool IsYear(std::string_view word) {
  return word.size() == 4 && IsDigits(word) &&
         (word[0] == '1' || word.starts_with("20"));
}

bool IsOrdinaryNumber(std::string_view text, TextRange number) {
  if (IsClockTime(text, number)) return true;
  const std::string_view word = number.In(text);
  const std::size_t comma = word.find(',');
  const std::string_view whole = word.substr(0, comma);
  if (comma != word.npos) {
    const std::string_view fraction = word.substr(comma + 1);
    if (!IsDigits(fraction) || fraction.size() > 2) return false;
  }
  if (whole.size() > 1 && whole[0] == '0') return false;
  if (!IsDigits(whole) && !IsGrouped(whole)) return false;
  return static_cast<std::size_t>(
             std::count_if(word.begin(), word.end(), [](char c) {
               return IsAsciiDigit(static_cast<unsigned char>(c));
             })) <= kMostDigits;
}

Protected NumberWord(std::string_view text, TextRange number) {
  const std::string_view word = number.In(text);
  if (IsClockTime(text, number))
    return {number, ProtectedKind::kClockTime, WithColon(word)};
  return {number, IsYear(word) ? ProtectedKind::kYear : ProtectedKind::kNumber,
          EnglishNumber(word)};
}

std::vector<TextRange> OrdinaryNumbers(std::string_view text) {
  std::vector<TextRange> numbers = TextWords(text);
  std::erase_if(numbers, [&](const TextRange& range) {
    return !IsOrdinaryNumber(text, range);
  });
  return numbers;
}

std::vector<TextRange> LostNumbers(std::string_view german,
                                   std::string_view english) {
  std::vector<std::string> there;
  for (const TextRange& range : TextWords(english))
    there.push_back(Comparable(range.In(english)));
  std::vector<TextRange> lost;
  for (const TextRange& range : OrdinaryNumbers(german)) {
    const std::vector<std::string> forms = FormsOf(german, range);
    const auto found = std::find_first_of(there.begin(), there.end(),
                                          forms.begin(), forms.end());
    if (found == there.end()) {
      lost.push_back(range);
    } else {
      there.erase(found);
    }
  }
  return lost;
}

}  // namespace keylens::german_english
