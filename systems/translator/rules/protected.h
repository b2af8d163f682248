#ifndef KEYLENS_SYSTEMS_TRANSLATOR_RULES_PROTECTED_H_
#define KEYLENS_SYSTEMS_TRANSLATOR_RULES_PROTECTED_H_

#include <string>
#include <vector>

#include "systems/translator/text/characters.h"

namespace keylens::translator {

// How a word that the model must not touch gets past it.
enum class ProtectedKind {
  kCut,         // cut out: what stands before and after is translated alone
  kBesideNext,  // left out, and put back before the next word's translation
  // A stand-in of its kind takes its place: a short name or number that models
  // of everyday text leave alone ("Besuche Tom!").
  kName,
  kPerson,
  kPlace,
  kNumber,
  kYear,
  kClockTime,
};

// A word, or a few, of a source text.
struct Protected {
  TextRange range;  // of the text
  ProtectedKind kind = ProtectedKind::kName;
  std::string target;  // what stands in the translation
};

// Both lists, in the order of the text; what overlaps a word of `first` is left
// out of `second`.
std::vector<Protected> MergedWords(const std::vector<Protected>& first,
                                   const std::vector<Protected>& second);

}  // namespace keylens::translator

#endif  // KEYLENS_SYSTEMS_TRANSLATOR_RULES_PROTECTED_H_
