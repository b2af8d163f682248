#ifndef KEYLENS_LANGUAGES_GERMAN_ENGLISH_CORPUS_CLDR_NAMES_H_
#define KEYLENS_LANGUAGES_GERMAN_ENGLISH_CORPUS_CLDR_NAMES_H_

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "languages/german_english/corpus/pair.h"

namespace keylens::german_english {

// Names by what they name: "territories/territory[DE]" is "Germany" in en.xml
// and "Deutschland" in de.xml.
using CldrNames = std::map<std::string, std::string>;

// Adds the names in an LDML file of Unicode's CLDR: languages, territories,
// currencies, cities (of time zones), months and days of the week, and the
// short names of characters (emoji). Variants (alt="short") and plural forms
// are left out. Throws Error, naming `file_name`, for what is no XML.
void ReadCldrNames(std::string_view xml, const std::string& file_name,
                   CldrNames& names);

// Those that have a name in both languages. A city without an English name is
// called as its time zone: "Europe/New_York" is "New York".
std::vector<Pair> PairNames(const CldrNames& english, const CldrNames& german);

}  // namespace keylens::german_english

#endif  // KEYLENS_LANGUAGES_GERMAN_ENGLISH_CORPUS_CLDR_NAMES_H_
