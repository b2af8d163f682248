#ifndef KEYLENS_SYSTEMS_TRANSLATOR_LINES_PASS_THROUGH_H_
#define KEYLENS_SYSTEMS_TRANSLATOR_LINES_PASS_THROUGH_H_

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "systems/translator/text/characters.h"

// What a translation must carry over as it stands, whatever the model makes of
// it: addresses, long numbers, words in characters that the vocabulary never
// saw, emoji.
//
// Emoji and other symbols are cut out of the sentence. A word gives its place
// to a stand-in, a short name or number that a model for German and English
// leaves alone ("Besuche Tom!"), and takes it back in the translation.

namespace keylens::translator {

enum class ProtectedKind {
  kSymbols,
  kName,  // what a name can stand in for
  kPerson,
  kPlace,
  kNumber,
  kYear,
  kClockTime
};

struct Protected {
  TextRange range;  // of the text
  ProtectedKind kind = ProtectedKind::kName;
  std::string target;  // what stands in the translation: the same, or a number
                       // with English marks
};

// Whether the vocabulary has a character (given as UTF-8) as one piece or as
// part of one.
using KnowsCharacter = std::function<bool(std::string_view)>;

// In order, without overlap. Symbols are those that IsSymbol and the vocabulary
// does not know. Words are taken without the punctuation around them; one is
// protected that has the form of an address (a URL, an e-mail address, a host,
// a path, a tag), more than two digits unless it is an ordinary number, a
// character that the vocabulary does not know, or more than 64 characters.
std::vector<Protected> FindProtected(std::string_view text,
                                     const KnowsCharacter& knows);

// A number to protect; `range` is where `number` stands.
Protected NumberWord(TextRange range, std::string_view number);

// A word and the stand-in that took its place.
struct StandIn {
  std::string stand_in;
  Protected original;  // range: of the text that was disguised
};

struct Disguised {
  std::string text;
  std::vector<StandIn> stand_ins;  // in the order of the text
};

// `text` with stand-ins for `words` (names and numbers, in order). None where
// there are more words than stand-ins that the text does not have itself.
std::optional<Disguised> Disguise(std::string_view text,
                                  const std::vector<Protected>& words);

// `translation` with the words back in the places of their stand-ins. None
// unless each stand-in is there exactly once.
std::optional<std::string> Undisguise(std::string_view translation,
                                      const std::vector<StandIn>& stand_ins);

}  // namespace keylens::translator

#endif  // KEYLENS_SYSTEMS_TRANSLATOR_LINES_PASS_THROUGH_H_
