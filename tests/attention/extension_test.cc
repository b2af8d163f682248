// Masks and score mods that a user writes, and what the engine promises them.

#include <gtest/gtest.h>
#include <keylens/attention.h>

#include <atomic>
#include <cmath>
#include <cstdint>
#include <stdexcept>
#include <thread>
#include <vector>

#include "tests/attention/closeness.h"
#include "tests/attention/edge_case.h"
#include "tests/attention/every_target.h"
#include "tests/attention/matches_oracle.h"

namespace keylens {
namespace {

class Extension : public OnEveryTarget {};
INSTANTIATE_TEST_SUITE_P(, Extension, EveryTarget(), TargetName);

constexpr AttentionShape kShape = {2, 4, 2, 77, 130, 12, 9};

// A query sees every `step`-th key before it, and itself.
class DilatedCausalMask : public Mask {
 public:
  explicit DilatedCausalMask(int64_t step) : step_(step) {}

  TileClass Classify(const TileCoord& coord) const override {
    const int64_t last_query = coord.first_query + coord.num_queries - 1;
    return coord.first_key > last_query ? TileClass::kEmpty
                                        : TileClass::kPartial;
  }

  void Apply(ScoreTile scores) const override {
    for (int64_t i = 0; i < scores.coord.num_queries; ++i) {
      for (int64_t j = 0; j < scores.coord.num_keys; ++j) {
        const int64_t back =
            scores.coord.first_query + i - scores.coord.first_key - j;
        if (back < 0 || back % step_ != 0) scores.Row(i)[j] = -kInf;
      }
    }
  }

 private:
  int64_t step_;
};

TEST_P(Extension, ADilatedCausalMask) {
  AttentionCase attention(kShape);
  const DilatedCausalMask mask(3);
  attention.options.mask = &mask;
  ExpectMatchesOracle(attention);
  const RuleMask dense(
      77, 130, [](int64_t i, int64_t j) { return j <= i && (i - j) % 3 == 0; });
  const auto out = Forward(attention).out.Values();
  attention.options.mask = dense.get();
  EXPECT_TRUE(SameBits(Forward(attention).out.Values(), out));
}

// cap * tanh(score / cap), with a derivative that depends on the score.
class TanhCap : public ScoreMod {
 public:
  explicit TanhCap(float cap) : cap_(cap) {}

  void Forward(ScoreTile scores) const override {
    for (int64_t i = 0; i < scores.coord.num_queries; ++i) {
      for (int64_t j = 0; j < scores.coord.num_keys; ++j) {
        scores.Row(i)[j] = cap_ * std::tanh(scores.Row(i)[j] / cap_);
      }
    }
  }

  void Backward(ScoreTile before, ScoreTile grad) const override {
    for (int64_t i = 0; i < grad.coord.num_queries; ++i) {
      for (int64_t j = 0; j < grad.coord.num_keys; ++j) {
        const float t = std::tanh(before.Row(i)[j] / cap_);
        grad.Row(i)[j] *= 1 - t * t;
      }
    }
  }

 private:
  float cap_;
};

// Multiplies by a factor of the key's; its derivative needs no score.
class KeyFactor : public ScoreMod {
 public:
  void Forward(ScoreTile scores) const override { Multiply(scores); }
  void Backward(ScoreTile before, ScoreTile grad) const override {
    EXPECT_EQ(before.data, nullptr);
    Multiply(grad);
  }
  bool BackwardReadsScores() const override { return false; }

 private:
  static void Multiply(ScoreTile tile) {
    for (int64_t i = 0; i < tile.coord.num_queries; ++i) {
      for (int64_t j = 0; j < tile.coord.num_keys; ++j) {
        const int64_t key = tile.coord.first_key + j;
        tile.Row(i)[j] *= 0.5f + 0.01f * static_cast<float>(key);
      }
    }
  }
};

// The soft cap would turn a -inf into a finite score: it comes before the mask.
TEST_P(Extension, ScoreModsComeInOrderAndBeforeTheMask) {
  const TanhCap cap(1.5f);
  const KeyFactor factor;
  const auto causal = CausalMask(CausalAlignment::kTopLeft);
  AttentionCase attention(kShape);
  attention.options.mask = causal.get();
  attention.options.score_mods = {&cap};
  ExpectMatchesOracle(attention);
  attention.options.score_mods = {&factor};
  ExpectMatchesOracle(attention);
  attention.options.score_mods = {&cap, &factor};
  ExpectMatchesOracle(attention);
  const auto capped_first = Forward(attention).out.Values();
  attention.options.score_mods = {&factor, &cap};
  ExpectMatchesOracle(attention);
  EXPECT_FALSE(SameBits(Forward(attention).out.Values(), capped_first));
  attention.options.score_mods = {&cap, &factor, &cap};
  ExpectMatchesOracle(attention);
}

// Whether a tile lies where the header says tiles lie.
bool IsWellFormed(const TileCoord& coord, const AttentionShape& shape) {
  return coord.batch >= 0 && coord.batch < shape.batch && coord.head >= 0 &&
         coord.head < shape.num_heads && coord.query_len == shape.query_len &&
         coord.kv_len == shape.kv_len && coord.first_query >= 0 &&
         coord.num_queries >= 1 &&
         coord.first_query + coord.num_queries <= shape.query_len &&
         coord.first_key >= 0 && coord.num_keys >= 1 &&
         coord.first_key + coord.num_keys <= shape.kv_len;
}

// Counts the scores it is shown. It may be called from several threads.
class Witness : public Mask {
 public:
  explicit Witness(const AttentionShape& shape) : shape_(shape) {}

  TileClass Classify(const TileCoord& coord) const override {
    if (!IsWellFormed(coord, shape_)) ++malformed_;
    return TileClass::kPartial;
  }

  void Apply(ScoreTile scores) const override {
    if (!IsWellFormed(scores.coord, shape_)) ++malformed_;
    if (scores.row_stride < scores.coord.num_keys) ++malformed_;
    shown_ += scores.coord.num_queries * scores.coord.num_keys;
  }

  int64_t malformed() const { return malformed_; }
  int64_t TakeShown() const { return shown_.exchange(0); }

 private:
  AttentionShape shape_;
  mutable std::atomic<int64_t> malformed_{0};
  mutable std::atomic<int64_t> shown_{0};
};

TEST_P(Extension, AMaskIsShownEveryScoreOfAForwardPassOnce) {
  AttentionCase attention(kShape);
  const Witness witness(kShape);
  attention.options.mask = &witness;
  ForwardResult forward = Forward(attention);
  EXPECT_EQ(witness.TakeShown(), 2 * 4 * 77 * 130);
  Backward(attention, forward);
  EXPECT_GE(witness.TakeShown(), 2 * 4 * 77 * 130);
  EXPECT_EQ(witness.malformed(), 0);
}

// Calls every tile empty that has no live key, and counts the others.
class Sparse : public Witness {
 public:
  using Witness::Witness;

  TileClass Classify(const TileCoord& coord) const override {
    Witness::Classify(coord);
    return coord.first_key >= 10 ? TileClass::kEmpty : TileClass::kPartial;
  }
  void Apply(ScoreTile scores) const override {
    Witness::Apply(scores);
    for (int64_t i = 0; i < scores.coord.num_queries; ++i) {
      for (int64_t j = 0; j < scores.coord.num_keys; ++j) {
        if (scores.coord.first_key + j >= 10) scores.Row(i)[j] = -kInf;
      }
    }
  }
};

TEST_P(Extension, ADeadTileIsSkipped) {
  constexpr AttentionShape kLong = {1, 2, 1, 77, 5000, 12, 9};
  AttentionCase attention(kLong);
  const Sparse sparse(kLong);
  attention.options.mask = &sparse;
  Forward(attention);
  EXPECT_LT(sparse.TakeShown(), 2 * 77 * 1000);
  EXPECT_EQ(sparse.malformed(), 0);
  ExpectMatchesOracle(attention);
}

// Fails somewhere in the middle of a call.
class Failing : public Witness {
 public:
  using Witness::Witness;

  void Apply(ScoreTile scores) const override {
    Witness::Apply(scores);
    if (scores.coord.batch == 1) throw std::runtime_error("out of luck");
  }
};

// The exception of a mask reaches the caller, from any thread, and the engine
// is as good as before.
TEST_P(Extension, AnExceptionReachesTheCaller) {
  constexpr AttentionShape kLong = {2, 2, 1, 130, 2300, 12, 9};
  AttentionCase attention(kLong);
  ForwardResult wanted = Forward(attention);
  const Failing failing(kLong);
  for (const int threads : {1, 3}) {
    attention.options.num_threads = threads;
    attention.options.mask = &failing;
    EXPECT_THROW(Forward(attention), std::runtime_error);
    EXPECT_THROW(Backward(attention, wanted), std::runtime_error);
    Statistics statistics(attention, 2);
    const Inspection view = statistics.View();
    EXPECT_THROW(Forward(attention, &view), std::runtime_error);
    attention.options.mask = nullptr;
    EXPECT_TRUE(SameBits(Forward(attention).out.Values(), wanted.out.Values()));
  }
}

// The functions keep no state: several threads may call at once.
TEST_P(Extension, CallsAtTheSameTime) {
  const AttentionCase attention(kShape);
  Statistics wanted_statistics(attention, 3);
  const Inspection wanted_view = wanted_statistics.View();
  ForwardResult wanted = Forward(attention, &wanted_view);
  const Gradients wanted_grad = Backward(attention, wanted);
  std::vector<std::thread> callers;
  for (int caller = 0; caller < 3; ++caller) {
    callers.emplace_back([&] {
      Statistics statistics(attention, 3);
      const Inspection view = statistics.View();
      ForwardResult forward = Forward(attention, &view);
      EXPECT_TRUE(SameBits(forward.out.Values(), wanted.out.Values()));
      EXPECT_TRUE(SameBits(statistics.key_mass.Values(),
                           wanted_statistics.key_mass.Values()));
      const Gradients grad = Backward(attention, forward);
      EXPECT_TRUE(SameBits(grad.key.Values(), wanted_grad.key.Values()));
    });
  }
  for (std::thread& caller : callers) caller.join();
}

}  // namespace
}  // namespace keylens
