#ifndef KEYLENS_SRC_ATTENTION_TILE_DROPOUT_H_
#define KEYLENS_SRC_ATTENTION_TILE_DROPOUT_H_

#include <keylens/dropout.h>

#include <cstdint>

namespace keylens::internal {

// The random bits of a row of weights: those of key j are Mixed(j), for keys
// whose numbers differ in their lower 32 bits alone. The constants are those
// of splitmix64 (Steele, Lea, Flood: Fast splittable pseudorandom number
// generators) and of a 32-bit mixer with low bias (Wellons, hash-prospector).
struct DropoutRow {
  DropoutRow(uint64_t seed, int64_t batch, int64_t head, int64_t query,
             int64_t key);

  static constexpr uint32_t kStep = 0x9e3779b9;
  static constexpr uint32_t kFirstFactor = 0x7feb352d;
  static constexpr uint32_t kSecondFactor = 0x846ca68b;

  uint32_t first = 0;
  uint32_t second = 0;
};

// A key stays where its bits, less the last, are at least this.
int32_t DropoutThreshold(float probability);

}  // namespace keylens::internal

#endif  // KEYLENS_SRC_ATTENTION_TILE_DROPOUT_H_
