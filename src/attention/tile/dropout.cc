#include "src/attention/tile/dropout.h"

#include <cmath>
#include <initializer_list>

#include "src/random/random.h"

namespace keylens {
namespace internal {
namespace {

uint64_t Mix(uint64_t x) { return MixBits(x + kGoldenStep); }

uint32_t Mixed(const DropoutRow& row, uint32_t key) {
  uint32_t x = key * DropoutRow::kStep ^ row.first;
  x = (x ^ x >> 16) * DropoutRow::kFirstFactor;
  x = (x ^ x >> 15) + row.second;
  x *= DropoutRow::kSecondFactor;
  return x ^ x >> 16;
}

}  // namespace

DropoutRow::DropoutRow(uint64_t seed, int64_t batch, int64_t head,
                       int64_t query, int64_t key) {
  uint64_t bits = Mix(seed);
  for (const int64_t part : {batch, head, query, key >> 32})
    bits = Mix(bits ^ static_cast<uint64_t>(part));
  first = static_cast<uint32_t>(bits);
  second = static_cast<uint32_t>(bits >> 32);
}

int32_t DropoutThreshold(float probability) {
  return static_cast<int32_t>(
      std::lrint(std::fmin(probability * 0x1p31, 0x1p31 - 1)));
}

}  // namespace internal

bool DropoutKeeps(const Dropout& dropout, int64_t batch, int64_t head,
                  int64_t query, int64_t key) {
  const internal::DropoutRow row(dropout.seed, batch, head, query, key);
  const uint32_t bits = internal::Mixed(row, static_cast<uint32_t>(key));
  return static_cast<int32_t>(bits >> 1) >=
         internal::DropoutThreshold(dropout.probability);
}

}  // namespace keylens
