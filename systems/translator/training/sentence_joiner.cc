#include "systems/translator/training/sentence_joiner.h"

#include <algorithm>
#include <string>
#include <string_view>

#include "src/random/random.h"

namespace keylens::translator {
namespace {

// What is drawn; apart from the purposes of TranslatorTask.
constexpr uint64_t kPattern = 101;

bool EndsSentence(std::string_view text) {
  return text.ends_with('.') || text.ends_with('!') || text.ends_with('?');
}

}  // namespace

std::optional<SentencePair> SentenceJoiner::Changed(const SentencePair&,
                                                    uint64_t, uint64_t) const {
  return std::nullopt;
}

bool SentenceJoiner::JoinsPrevious(uint64_t seed, uint64_t number) const {
  const uint64_t place = number % 3;
  if (place == 0) return false;
  Random random({seed, kPattern, number / 3});
  if (random.Uniform() >= share_) return false;
  // The second to the first, the third to the second, or both.
  const uint64_t pattern = random.Below(3);
  return pattern == 2 || pattern == place - 1;
}

std::optional<SentencePair> SentenceJoiner::Joined(
    std::span<const SentencePair> pairs, uint64_t, uint64_t) const {
  if (!std::all_of(pairs.begin(), pairs.end(), IsSentence)) return std::nullopt;
  SentencePair joined = pairs[0];
  for (const SentencePair& pair : pairs.subspan(1)) {
    joined.source += " " + pair.source;
    joined.target += " " + pair.target;
  }
  return joined;
}

bool SentenceJoiner::IsSentence(const SentencePair& pair) {
  return EndsSentence(pair.source) && EndsSentence(pair.target) &&
         pair.source.find(' ') != std::string::npos;
}

}  // namespace keylens::translator
