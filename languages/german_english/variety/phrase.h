#ifndef KEYLENS_LANGUAGES_GERMAN_ENGLISH_VARIETY_PHRASE_H_
#define KEYLENS_LANGUAGES_GERMAN_ENGLISH_VARIETY_PHRASE_H_

#include <cstddef>
#include <span>
#include <string>

#include "src/random/random.h"
#include "systems/translator/text/parallel_text.h"

namespace keylens::german_english {

using translator::SentencePair;

// A few words in German and their translation.
struct Phrase {
  std::string german, english;
};

template <typename T>
const T& OneOf(std::span<const T> choices, Random& random) {
  return choices[static_cast<std::size_t>(random.Below(choices.size()))];
}

template <typename T, std::size_t N>
const T& OneOf(const T (&choices)[N], Random& random) {
  return OneOf(std::span<const T>(choices), random);
}

inline bool Happens(double probability, Random& random) {
  return random.Uniform() < probability;
}

}  // namespace keylens::german_english

#endif  // KEYLENS_LANGUAGES_GERMAN_ENGLISH_VARIETY_PHRASE_H_
