// Random calls against the oracle: shapes, layouts, masks, score mods, scales
// and sizes of numbers that nobody thought of.

#include <gtest/gtest.h>
#include <keylens/attention.h>

#include <cmath>
#include <cstdint>
#include <memory>
#include <random>
#include <vector>

#include "tests/attention/attention_case.h"
#include "tests/attention/every_target.h"
#include "tests/attention/matches_oracle.h"

namespace keylens {
namespace {

class Differential : public OnEveryTarget {};
INSTANTIATE_TEST_SUITE_P(, Differential, EveryTarget(), TargetName);

// The masks and mods of one random call, which it must outlive.
class RandomOptions {
 public:
  RandomOptions(std::mt19937_64& random, const AttentionShape& shape)
      : live_({shape.batch, random() % 2 ? 1 : shape.num_heads, shape.query_len,
               shape.kv_len},
              RandomLayout<4>(random)),
        bias_({1, shape.num_heads, random() % 2 ? 1 : shape.query_len,
               shape.kv_len},
              RandomLayout<4>(random)) {
    const uint64_t sparseness = 2 + random() % 9;
    live_.Fill([&] { return random() % sparseness != 0; });
    std::normal_distribution<float> normal;
    bias_.Fill([&] { return normal(random); });
    const auto keys = [&] {
      return static_cast<int64_t>(random() % (shape.kv_len + 2));
    };
    std::vector<int64_t> live_keys(shape.batch);
    for (int64_t& live : live_keys) live = keys();
    masks_.push_back(CausalMask(random() % 2 ? CausalAlignment::kTopLeft
                                             : CausalAlignment::kBottomRight));
    masks_.push_back(KeyPaddingMask(live_keys));
    masks_.push_back(DenseMask(live_.view()));
    masks_.push_back(AllOf({masks_[0].get(), masks_[1].get()}));
    masks_.push_back(AllOf({masks_[1].get(), masks_[2].get()}));
    mod_ = AdditiveBias(bias_.view());
    const uint64_t mask = random() % (masks_.size() + 2);
    if (mask < masks_.size()) options_.mask = masks_[mask].get();
    if (random() % 3 == 0) options_.score_mods = {mod_.get()};
    if (random() % 3 == 0) options_.scale = 2 * normal(random);
    options_.num_threads = static_cast<int>(random() % 4);
  }
  RandomOptions(const RandomOptions&) = delete;
  RandomOptions& operator=(const RandomOptions&) = delete;

  const AttentionOptions& get() const { return options_; }

 private:
  Buffer<bool, 4> live_;
  Buffer<float, 4> bias_;
  std::vector<std::unique_ptr<Mask>> masks_;
  std::unique_ptr<ScoreMod> mod_;
  AttentionOptions options_;
};

void RunCall(std::mt19937_64& random, const AttentionShape& shape,
             uint64_t seed) {
  const RandomOptions options(random, shape);
  AttentionCase attention = random() % 2
                                ? AttentionCase::InStrangeLayouts(shape, seed)
                                : AttentionCase(shape, seed);
  attention.options = options.get();
  const float size = std::exp2(static_cast<float>(random() % 6) - 2);
  for (Buffer<float, 4>* tensor : {&attention.query, &attention.value}) {
    ForEachIndex<4>(tensor->view().shape,
                    [&](const auto& index) { (*tensor)(index) *= size; });
  }
  ExpectMatchesOracle(attention, 1 + random() % 9);
}

void RunSeed(uint64_t seed, int64_t longest, int64_t widest) {
  SCOPED_TRACE(::testing::Message() << "seed " << seed);
  std::mt19937_64 random(seed);
  RunCall(random, RandomShape(random, longest, widest), seed);
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
    RunCall(random, shape, seed);
  }
}

// A row of 24,000 keys is kept by no plan: its statistics take a second pass.
TEST_P(Differential, VeryLongRows) {
  AttentionCase attention({1, 2, 1, 3, 24'001, 5, 4}, 3001);
  ExpectMatchesOracle(attention, 7);
}

}  // namespace
}  // namespace keylens
