#include "systems/classifier/training/epoch_order.h"

#include <algorithm>
#include <bit>

#include "src/random/random.h"

namespace keylens::classifier {
namespace {

// A permutation of the numbers of 2 * half_bits bits: a Feistel network (Luby,
// Rackoff: How to construct pseudorandom permutations; four rounds).
uint64_t Permuted(uint64_t number, int half_bits, uint64_t key) {
  const uint64_t mask = (uint64_t{1} << half_bits) - 1;
  uint64_t left = number >> half_bits, right = number & mask;
  for (uint64_t round = 0; round < 4; ++round) {
    const uint64_t next = left ^ (KeyOf({key, round, right}) & mask);
    left = right;
    right = next;
  }
  return left << half_bits | right;
}

}  // namespace

uint64_t PictureOf(uint64_t example, uint64_t size, uint64_t seed) {
  const int bits = std::max(2, static_cast<int>(std::bit_width(size - 1)));
  const uint64_t key = KeyOf({seed, 6, example / size});
  uint64_t number = example % size;
  // Numbers beyond the set are permuted on until they come back into it, which
  // leaves a permutation of those within.
  do {
    number = Permuted(number, (bits + 1) / 2, key);
  } while (number >= size);
  return number;
}

}  // namespace keylens::classifier
