#include "languages/german_english/variety/random_phrases.h"

#include <fmt/format.h>

#include <cstdint>
#include <string>

#include "languages/german_english/rules/calendar.h"

namespace keylens::german_english {
namespace {

// As a number of them is counted, in the dative: "vor 3 Tagen".
const Phrase kSpans[] = {{"Minuten", "minutes"}, {"Stunden", "hours"},
                         {"Tagen", "days"},      {"Wochen", "weeks"},
                         {"Monaten", "months"},  {"Jahren", "years"}};

const Phrase kPast[] = {{"gestern", "yesterday"},
                        {"gestern Abend", "last night"},
                        {"vorgestern", "the day before yesterday"},
                        {"letzte Woche", "last week"},
                        {"letztes Jahr", "last year"},
                        {"letzten Monat", "last month"}};

const Phrase kFuture[] = {{"morgen", "tomorrow"},
                          {"morgen Abend", "tomorrow evening"},
                          {"übermorgen", "the day after tomorrow"},
                          {"nächste Woche", "next week"},
                          {"nächstes Jahr", "next year"},
                          {"nächsten Monat", "next month"}};

const Phrase kEither[] = {{"heute", "today"},
                          {"heute Abend", "this evening"},
                          {"heute Morgen", "this morning"},
                          {"am Wochenende", "on the weekend"},
                          {"diese Woche", "this week"},
                          {"im Sommer", "in summer"},
                          {"im Winter", "in winter"}};

constexpr const char* kSmallNumbers[][2] = {
    {"zwei", "two"},     {"drei", "three"},    {"vier", "four"},
    {"fünf", "five"},    {"sechs", "six"},     {"sieben", "seven"},
    {"acht", "eight"},   {"neun", "nine"},     {"zehn", "ten"},
    {"zwölf", "twelve"}, {"zwanzig", "twenty"}};

int64_t Between(int64_t first, int64_t last, Random& random) {
  return first + static_cast<int64_t>(
                     random.Below(static_cast<uint64_t>(last - first + 1)));
}

int64_t Year(When when, Random& random) {
  if (when == When::kFuture) return Between(2024, 2060, random);
  return Happens(0.8, random) ? Between(1940, 2025, random)
                              : Between(1100, 1939, random);
}

// "9. Juli 1986", "July 9, 1986".
Phrase Date(When when, Random& random) {
  const int64_t day = Between(1, 31, random);
  const CalendarName& month = OneOf(kMonths, random);
  Phrase date = {fmt::format("{}. {}", day, month.german),
                 fmt::format("{} {}", month.english, day)};
  if (!Happens(0.6, random)) return date;
  const int64_t year = Year(when, random);
  return {fmt::format("{} {}", date.german, year),
          fmt::format("{}, {}", date.english, year)};
}

Phrase ClockTime(Random& random) {
  const int64_t hour = Between(0, 23, random);
  if (Happens(0.3, random)) {
    return {fmt::format("um {} Uhr", hour),
            hour >= 1 && hour <= 12 ? fmt::format("at {} o'clock", hour)
                                    : fmt::format("at {}:00", hour)};
  }
  const int64_t minute = Happens(0.5, random) ? 5 * Between(0, 11, random)
                                              : Between(0, 59, random);
  const char mark = Happens(0.2, random) ? '.' : ':';
  return {fmt::format("um {}{}{:02} Uhr", hour, mark, minute),
          fmt::format("at {}:{:02}", hour, minute)};
}

Phrase Day(When when, Random& random) {
  if (Happens(0.4, random)) {
    const CalendarName& day = OneOf(kWeekdays, random);
    return {"am " + day.german, "on " + day.english};
  }
  const Phrase date = Date(when, random);
  if (Happens(0.1, random)) {
    const CalendarName& day = OneOf(kWeekdays, random);
    return {"am " + day.german + ", dem " + date.german,
            "on " + day.english + ", " + date.english};
  }
  return {"am " + date.german, "on " + date.english};
}

Phrase MonthOrYear(When when, Random& random) {
  const CalendarName& month = OneOf(kMonths, random);
  const int64_t year = Year(when, random);
  const double kind = random.Uniform();
  if (kind < 0.2) return {"im " + month.german, "in " + month.english};
  if (kind < 0.5) {
    return {fmt::format("im {} {}", month.german, year),
            fmt::format("in {} {}", month.english, year)};
  }
  return {fmt::format("im Jahr {}", year), fmt::format("in {}", year)};
}

Phrase Count(Random& random) {
  if (Happens(0.5, random)) {
    const auto& number = OneOf(kSmallNumbers, random);
    return {number[0], number[1]};
  }
  const int64_t count = Between(2, 99, random);
  return {std::to_string(count), std::to_string(count)};
}

Phrase Distance(When when, Random& random) {
  const Phrase count = Count(random);
  const Phrase& span = OneOf(kSpans, random);
  const std::string german = count.german + " " + span.german;
  const std::string english = count.english + " " + span.english;
  if (when == When::kPast) return {"vor " + german, english + " ago"};
  return {"in " + german, "in " + english};
}

const Phrase& Plain(When when, Random& random) {
  if (when == When::kPast) return OneOf(kPast, random);
  if (when == When::kFuture) return OneOf(kFuture, random);
  return OneOf(kEither, random);
}

std::string Grouped(int64_t number, char mark) {
  std::string digits = std::to_string(number);
  for (std::size_t at = digits.size(); at > 3; at -= 3)
    digits.insert(at - 3, 1, mark);
  return digits;
}

}  // namespace

Phrase RandomNumber(Random& random) {
  constexpr int64_t kLimits[] = {9, 99, 999, 9999, 99999, 999999};
  constexpr double kShares[] = {0.2, 0.65, 0.8, 0.92, 0.97, 1};
  const double kind = random.Uniform();
  std::size_t digits = 0;
  while (kind >= kShares[digits]) ++digits;
  const int64_t number = Between(digits == 0 ? 2 : kLimits[digits - 1] + 1,
                                 kLimits[digits], random);
  const bool grouped = number > 9999 || Happens(0.5, random);
  if (!grouped) return {std::to_string(number), std::to_string(number)};
  return {Grouped(number, '.'), Grouped(number, ',')};
}

Phrase RandomDecimal(Random& random) {
  const int64_t whole = Between(0, Happens(0.7, random) ? 99 : 999, random);
  const std::string fraction =
      Happens(0.6, random) ? fmt::format("{:02}", Between(0, 99, random))
                           : std::to_string(Between(1, 9, random));
  return {fmt::format("{},{}", whole, fraction),
          fmt::format("{}.{}", whole, fraction)};
}

Phrase RandomTime(When when, Random& random) {
  const double kind = random.Uniform();
  if (kind < 0.2) return Plain(when, random);
  if (kind < 0.45) return Day(when, random);
  if (kind < 0.6) return MonthOrYear(when, random);
  if (kind < 0.75) return ClockTime(random);
  if (kind < 0.85 && when != When::kEither) return Distance(when, random);
  const Phrase day = Day(when, random), time = ClockTime(random);
  return {day.german + " " + time.german, day.english + " " + time.english};
}

}  // namespace keylens::german_english
