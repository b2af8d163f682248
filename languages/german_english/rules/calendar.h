#ifndef KEYLENS_LANGUAGES_GERMAN_ENGLISH_RULES_CALENDAR_H_
#define KEYLENS_LANGUAGES_GERMAN_ENGLISH_RULES_CALENDAR_H_

#include <string>

namespace keylens::german_english {

struct CalendarName {
  std::string german, english;
};

inline const CalendarName kMonths[] = {{"Januar", "January"},
                                       {"Februar", "February"},
                                       {"März", "March"},
                                       {"April", "April"},
                                       {"Mai", "May"},
                                       {"Juni", "June"},
                                       {"Juli", "July"},
                                       {"August", "August"},
                                       {"September", "September"},
                                       {"Oktober", "October"},
                                       {"November", "November"},
                                       {"Dezember", "December"}};

inline const CalendarName kWeekdays[] = {
    {"Montag", "Monday"},      {"Dienstag", "Tuesday"},
    {"Mittwoch", "Wednesday"}, {"Donnerstag", "Thursday"},
    {"Freitag", "Friday"},     {"Samstag", "Saturday"},
    {"Sonntag", "Sunday"}};

}  // namespace keylens::german_english

#endif  // KEYLENS_LANGUAGES_GERMAN_ENGLISH_RULES_CALENDAR_H_
