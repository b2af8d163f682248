#ifndef KEYLENS_TESTS_ATTENTION_RANDOM_CALL_H_
#define KEYLENS_TESTS_ATTENTION_RANDOM_CALL_H_

#include <keylens/attention.h>

#include <cstdint>
#include <memory>
#include <random>
#include <vector>

#include "tests/attention/attention_case.h"
#include "tests/attention/buffer.h"

// Calls that nobody thought of. The same generator gives the same call.

namespace keylens {

int64_t Below(std::mt19937_64& random, int64_t end);

// Once in `n` times.
bool OneIn(std::mt19937_64& random, int64_t n);

// What a random call may use.
enum class Fits {
  kOneShape,    // everything
  kAnyLengths,  // masks and score mods that fit calls of any lengths
  kAnyEntry,    // of these, what is the same for every batch entry
};

// Random masks, score mods, scales, sinks and dropout, and what they look at,
// all of which the call must not outlive.
class RandomOptions {
 public:
  RandomOptions(std::mt19937_64& random, const AttentionShape& shape,
                Fits fits = Fits::kOneShape);
  RandomOptions(const RandomOptions&) = delete;
  RandomOptions& operator=(const RandomOptions&) = delete;

  const AttentionOptions& get() const { return options_; }

 private:
  void MakeMasks(std::mt19937_64& random, const AttentionShape& shape,
                 Fits fits);
  void MakeMods(std::mt19937_64& random, const AttentionShape& shape,
                Fits fits);
  void MakeRest(std::mt19937_64& random, const AttentionShape& shape);
  const Mask* Conjunction(std::mt19937_64& random);

  Buffer<bool, 4> live_;
  Buffer<float, 4> bias_;
  Buffer<float, 2> table_;
  std::vector<float> sinks_;
  std::vector<std::unique_ptr<Mask>> masks_;
  std::unique_ptr<Mask> conjunction_;
  std::vector<std::unique_ptr<ScoreMod>> mods_;
  AttentionOptions options_;
};

// Small shapes for the most part; some are long, wide, of one query, or empty.
AttentionShape RandomShapeOfAnyKind(std::mt19937_64& random);

// Inputs of some size, each dense, packed with the others, or in any layout.
AttentionCase RandomCase(std::mt19937_64& random, const AttentionShape& shape);

}  // namespace keylens

#endif  // KEYLENS_TESTS_ATTENTION_RANDOM_CALL_H_
