// Random calls against the oracle: shapes, layouts, masks, score mods, scales
// and sizes of numbers that nobody thought of.

#include <gtest/gtest.h>
#include <keylens/attention.h>

#include <algorithm>
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

int64_t Below(std::mt19937_64& random, int64_t end) {
  return static_cast<int64_t>(random() % static_cast<uint64_t>(end));
}

// Document ids for each of `length` places: in stretches, or in no order.
std::vector<int32_t> RandomDocuments(std::mt19937_64& random, int64_t length) {
  const int64_t longest = 1 + Below(random, random() % 2 ? 4 : length);
  std::vector<int32_t> ids;
  while (static_cast<int64_t>(ids.size()) < length) {
    const auto id = static_cast<int32_t>(Below(random, 5)) - 1;
    ids.insert(ids.end(), 1 + Below(random, longest), id);
  }
  ids.resize(length);
  return ids;
}

// The masks and mods of one random call, which it must outlive.
class RandomOptions {
 public:
  RandomOptions(std::mt19937_64& random, const AttentionShape& shape)
      : live_({shape.batch, random() % 2 ? 1 : shape.num_heads, shape.query_len,
               shape.kv_len},
              RandomLayout<4>(random)),
        bias_({1, shape.num_heads, random() % 2 ? 1 : shape.query_len,
               shape.kv_len},
              RandomLayout<4>(random)),
        table_({shape.num_heads, 4 + 2 * Below(random, 15)},
               RandomLayout<2>(random)) {
    MakeMasks(random, shape);
    MakeMods(random, shape);
    const uint64_t mask = random() % (masks_.size() + 3);
    if (mask < masks_.size()) options_.mask = masks_[mask].get();
    if (random() % 4 == 0) options_.mask = Conjunction(random);
    for (const auto& mod : mods_) {
      if (random() % 6 == 0) options_.score_mods.push_back(mod.get());
    }
    std::shuffle(options_.score_mods.begin(), options_.score_mods.end(),
                 random);
    if (random() % 3 == 0) {
      options_.scale = 2 * std::normal_distribution<float>()(random);
    }
    options_.num_threads = static_cast<int>(random() % 4);
  }
  RandomOptions(const RandomOptions&) = delete;
  RandomOptions& operator=(const RandomOptions&) = delete;

  const AttentionOptions& get() const { return options_; }

 private:
  void MakeMasks(std::mt19937_64& random, const AttentionShape& shape) {
    const uint64_t sparseness = 2 + random() % 9;
    live_.Fill([&] { return random() % sparseness != 0; });
    const auto alignment = [&] {
      return random() % 2 ? CausalAlignment::kTopLeft
                          : CausalAlignment::kBottomRight;
    };
    const auto keys = [&] { return Below(random, shape.kv_len + 2); };
    std::vector<int64_t> live_keys(shape.batch);
    for (int64_t& live : live_keys) live = keys();
    const auto limit = [&] {
      return random() % 2 ? Below(random, 9) - 1 : keys();
    };
    const int64_t left = limit(), right = limit();
    masks_.push_back(CausalMask(alignment()));
    masks_.push_back(SlidingWindowMask(left, right, alignment()));
    masks_.push_back(PrefixMask(keys()));
    const auto documents = RandomDocuments(random, shape.query_len);
    masks_.push_back(
        DocumentMask(documents, RandomDocuments(random, shape.kv_len)));
    masks_.push_back(KeyPaddingMask(live_keys));
    masks_.push_back(DenseMask(live_.view()));
  }

  void MakeMods(std::mt19937_64& random, const AttentionShape& shape) {
    std::normal_distribution<float> normal;
    bias_.Fill([&] { return normal(random); });
    table_.Fill([&] { return normal(random); });
    std::vector<float> slopes = AlibiSlopes(shape.num_heads);
    if (random() % 2) slopes.back() = -0.1f * normal(random);
    mods_.push_back(AdditiveBias(bias_.view()));
    mods_.push_back(AlibiBias(slopes));
    mods_.push_back(SoftCap(std::exp2(normal(random))));
    mods_.push_back(RelativePositionBias(
        table_.view(), {random() % 2 == 0, 17 + Below(random, 200)}));
  }

  // Of up to three of the masks.
  const Mask* Conjunction(std::mt19937_64& random) {
    const auto any = [&] {
      return static_cast<const Mask*>(masks_[random() % masks_.size()].get());
    };
    conjunction_ = AllOf({any(), any(), any()});
    return conjunction_.get();
  }

  Buffer<bool, 4> live_;
  Buffer<float, 4> bias_;
  Buffer<float, 2> table_;
  std::vector<std::unique_ptr<Mask>> masks_;
  std::unique_ptr<Mask> conjunction_;
  std::vector<std::unique_ptr<ScoreMod>> mods_;
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
