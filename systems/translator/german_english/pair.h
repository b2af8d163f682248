#ifndef KEYLENS_SYSTEMS_TRANSLATOR_GERMAN_ENGLISH_PAIR_H_
#define KEYLENS_SYSTEMS_TRANSLATOR_GERMAN_ENGLISH_PAIR_H_

#include <compare>
#include <string>

namespace keylens::german_english {

// A text and its translation, UTF-8.
struct Pair {
  std::string english;
  std::string german;

  auto operator<=>(const Pair&) const = default;
};

}  // namespace keylens::german_english

#endif  // KEYLENS_SYSTEMS_TRANSLATOR_GERMAN_ENGLISH_PAIR_H_
