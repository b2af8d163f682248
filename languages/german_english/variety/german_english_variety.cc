#include "languages/german_english/variety/german_english_variety.h"

#include <algorithm>

#include "languages/german_english/variety/phrase.h"

namespace keylens::german_english {
namespace {

// What is drawn; apart from the purposes of TranslatorTask and SentenceJoiner.
enum Purpose : uint64_t { kChange = 100, kJoin = 102 };

constexpr double kEmbedded = 0.2;  // sentences that become another's object

}  // namespace

GermanEnglishVariety::GermanEnglishVariety(std::span<const SentencePair> text,
                                           VarietyShares shares)
    : substituted_(shares.substituted),
      pattern_(shares.joined),
      substitution_(text),
      joiner_(text) {}

std::optional<SentencePair> GermanEnglishVariety::Changed(
    const SentencePair& pair, uint64_t seed, uint64_t number) const {
  Random random({seed, kChange, number});
  if (!Happens(substituted_, random)) return std::nullopt;
  return substitution_.Apply(pair, random);
}

bool GermanEnglishVariety::JoinsPrevious(uint64_t seed, uint64_t number) const {
  return pattern_.JoinsPrevious(seed, number);
}

std::optional<SentencePair> GermanEnglishVariety::Joined(
    std::span<const SentencePair> pairs, uint64_t seed, uint64_t number) const {
  if (!std::all_of(pairs.begin(), pairs.end(),
                   translator::SentenceJoiner::IsSentence))
    return std::nullopt;
  Random random({seed, kJoin, number});
  SentencePair joined = pairs[0];
  if (Happens(kEmbedded, random)) joined = joiner_.Embed(joined, random);
  for (const SentencePair& pair : pairs.subspan(1)) {
    joined = Happens(kEmbedded, random)
                 ? joiner_.Join(joined, joiner_.Embed(pair, random), random)
                 : joiner_.Join(joined, pair, random);
  }
  return joined;
}

translator::MakeTextVariety VarietyOf(VarietyShares shares) {
  if (shares.substituted == 0 && shares.joined == 0) return nullptr;
  return [shares](std::span<const SentencePair> text) {
    return std::make_unique<GermanEnglishVariety>(text, shares);
  };
}

}  // namespace keylens::german_english
