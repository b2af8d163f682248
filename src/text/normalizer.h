#ifndef KEYLENS_SRC_TEXT_NORMALIZER_H_
#define KEYLENS_SRC_TEXT_NORMALIZER_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "src/text/piece_trie.h"
#include "src/text/subword_model.h"

namespace keylens {

// A text in the form in which pieces are looked for.
struct NormalizedText {
  std::string text;
  // origin[i] is where text[i] comes from in the text as it was given; one more
  // entry, for the end.
  std::vector<std::size_t> origin;
};

// The map of characters that a SentencePiece model carries: 4 bytes, the size
// of a double-array trie; the trie, from sequences of characters to places
// among the strings; the strings, each ended by NUL (normalizer.cc of
// SentencePiece; the trie is Darts-clone's).
class CharacterMap {
 public:
  struct Match {
    std::size_t length =
        0;  // bytes of the text that were found; 0 where nothing was
    std::string_view becomes;
  };

  // Throws Error, starting with `name`, where the bytes are no such map.
  CharacterMap(std::string_view compiled, const std::string& name);

  // The longest sequence at the start of `text` that the map holds.
  Match Longest(std::string_view text) const;

 private:
  std::vector<uint32_t> units_;
  std::string strings_;
};

class Normalizer {
 public:
  // `kept` are sequences that no rule touches. Throws Error, starting with
  // `name`.
  Normalizer(const NormalizationRules& rules, PieceTrie kept,
             const std::string& name);

  // The same result as SentencePiece's, byte for byte and place for place.
  NormalizedText Normalize(std::string_view text) const;

 private:
  CharacterMap::Match NormalizePrefix(std::string_view text) const;
  std::size_t SkipLeadingSpaces(std::string_view text) const;
  void AppendSpace(std::size_t origin, NormalizedText& out) const;
  void Append(std::string_view part, std::size_t origin,
              NormalizedText& out) const;
  void RemoveTrailingSpaces(std::size_t& consumed, NormalizedText& out) const;
  std::string_view SpaceText() const {
    return rules_.escape_spaces ? kSpaceSymbol : " ";
  }

  NormalizationRules rules_;
  CharacterMap characters_;
  PieceTrie kept_;
};

}  // namespace keylens

#endif  // KEYLENS_SRC_TEXT_NORMALIZER_H_
