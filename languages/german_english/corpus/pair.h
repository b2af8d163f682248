#ifndef KEYLENS_LANGUAGES_GERMAN_ENGLISH_CORPUS_PAIR_H_
#define KEYLENS_LANGUAGES_GERMAN_ENGLISH_CORPUS_PAIR_H_

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

#endif  // KEYLENS_LANGUAGES_GERMAN_ENGLISH_CORPUS_PAIR_H_
