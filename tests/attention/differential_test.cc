// Random calls against the oracle: shapes, layouts, masks, score mods, scales
// and sizes of numbers that nobody thought of.

#include <gtest/gtest.h>
#include <keylens/attention.h>

#include <cstdint>
#include <random>

#include "tests/attention/attention_case.h"
#include "tests/attention/every_target.h"
#include "tests/attention/matches_oracle.h"
#include "tests/attention/random_call.h"

namespace keylens {
namespace {

class Differential : public OnEveryTarget {};
INSTANTIATE_TEST_SUITE_P(, Differential, EveryTarget(), TargetName);

void RunCall(std::mt19937_64& random, const AttentionShape& shape) {
  const RandomOptions options(random, shape);
  AttentionCase attention = RandomCase(random, shape);
  attention.options = options.get();
  ExpectMatchesOracle(attention, 1 + Below(random, 9));
}

void RunSeed(uint64_t seed, int64_t longest, int64_t widest) {
  SCOPED_TRACE(::testing::Message() << "seed " << seed);
  std::mt19937_64 random(seed);
  RunCall(random, RandomShape(random, longest, widest));
}

TEST_P(Differential, SmallCalls) {
  for (uint64_t seed = 1; seed <= 100; ++seed) RunSeed(seed, 40, 40);
}

TEST_P(Differential, LargerCalls) {
  for (uint64_t seed = 1001; seed <= 1006; ++seed) RunSeed(seed, 260, 160);
}

// More keys than are packed at a time, or kept until a row is done, or owned by
// one unit of the backward pass.
TEST_P(Differential, LongRows) {
  for (uint64_t seed = 2001; seed <= 2003; ++seed) {
    SCOPED_TRACE(::testing::Message() << "seed " << seed);
    std::mt19937_64 random(seed);
    AttentionShape shape = RandomShape(random, 50, 60);
    shape.batch = 1;
    shape.kv_len = 1100 + static_cast<int64_t>(random() % 2000);
    RunCall(random, shape);
  }
}

// A row of 24,000 keys is kept by no plan: its statistics take a second pass.
TEST_P(Differential, VeryLongRows) {
  AttentionCase attention({1, 2, 1, 3, 24'001, 5, 4}, 3001);
  ExpectMatchesOracle(attention, 7);
}

}  // namespace
}  // namespace keylens
