#ifndef KEYLENS_SYSTEMS_TRANSLATOR_TRAINING_TEXT_VARIETY_H_
#define KEYLENS_SYSTEMS_TRANSLATOR_TRAINING_TEXT_VARIETY_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>

#include "systems/translator/text/parallel_text.h"

namespace keylens::translator {

// How the text of a run is changed as it is drawn. What becomes of a pair is a
// function of the seed and of its number in the stream alone. What needs to
// know a language lies under languages/.
class TextVariety {
 public:
  virtual ~TextVariety() = default;

  // What takes the place of a pair; none where it stays.
  virtual std::optional<SentencePair> Changed(const SentencePair& pair,
                                              uint64_t seed,
                                              uint64_t number) const = 0;

  // Whether a pair is joined to the one before it; of any three in a row at
  // least one is not.
  virtual bool JoinsPrevious(uint64_t seed, uint64_t number) const = 0;

  // One sentence of two or three; none where they cannot be joined. `number`:
  // of the first.
  virtual std::optional<SentencePair> Joined(
      std::span<const SentencePair> pairs, uint64_t seed,
      uint64_t number) const = 0;
};

// Makes the variety of a run, from the text it trains on; null: no variety.
using MakeTextVariety =
    std::function<std::unique_ptr<TextVariety>(std::span<const SentencePair>)>;

}  // namespace keylens::translator

#endif  // KEYLENS_SYSTEMS_TRANSLATOR_TRAINING_TEXT_VARIETY_H_
