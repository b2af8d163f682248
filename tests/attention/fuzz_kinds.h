#ifndef KEYLENS_TESTS_ATTENTION_FUZZ_KINDS_H_
#define KEYLENS_TESTS_ATTENTION_FUZZ_KINDS_H_

#include <random>

// Random calls, each of which expects what it calls to match the oracle.

namespace keylens {

// Forward, backward and statistics; another number of threads.
void FuzzCall(std::mt19937_64& random);

// Sequences packed end to end, against the same in a batch.
void FuzzPacked(std::mt19937_64& random);

// A decoder's life: sequences of a cache grow, fork, end and are attended to.
void FuzzCache(std::mt19937_64& random);

// Attention over parts of the keys, merged.
void FuzzMerge(std::mt19937_64& random);

}  // namespace keylens

#endif  // KEYLENS_TESTS_ATTENTION_FUZZ_KINDS_H_
