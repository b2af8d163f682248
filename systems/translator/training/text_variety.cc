#include "systems/translator/training/text_variety.h"

#include <algorithm>

#include "systems/translator/training/phrase.h"

namespace keylens::translator {
namespace {

// What is drawn; apart from the purposes of TranslatorTask.
enum Purpose : uint64_t { kChange = 100, kPattern, kJoin };

}  // namespace

TextVariety::TextVariety(std::span<const SentencePair> text,
                         VarietyShares shares)
    : shares_(shares),
      substitution_(text),
      composer_(substitution_.names()),
      joiner_(text) {}

std::optional<SentencePair> TextVariety::Changed(const SentencePair& pair,
                                                 uint64_t seed,
                                                 uint64_t number) const {
  Random random({seed, kChange, number});
  if (Happens(shares_.composed, random)) return composer_.Compose(random);
  if (Happens(shares_.substituted, random))
    return substitution_.Apply(pair, random);
  return std::nullopt;
}

bool TextVariety::JoinsPrevious(uint64_t seed, uint64_t number) const {
  const uint64_t place = number % 3;
  if (place == 0) return false;
  Random random({seed, kPattern, number / 3});
  if (!Happens(shares_.joined, random)) return false;
  // The second to the first, the third to the second, or both.
  const uint64_t pattern = random.Below(3);
  return pattern == 2 || pattern == place - 1;
}

std::optional<SentencePair> TextVariety::Joined(
    std::span<const SentencePair> pairs, uint64_t seed, uint64_t number) const {
  if (!std::all_of(pairs.begin(), pairs.end(), SentenceJoiner::IsSentence))
    return std::nullopt;
  Random random({seed, kJoin, number});
  SentencePair joined = pairs[0];
  if (Happens(0.2, random)) joined = joiner_.Embed(joined, random);
  for (const SentencePair& pair : pairs.subspan(1)) {
    joined = Happens(0.2, random)
                 ? joiner_.Join(joined, joiner_.Embed(pair, random), random)
                 : joiner_.Join(joined, pair, random);
  }
  return joined;
}

}  // namespace keylens::translator
