// Lines 26 to 31: arithmetic. The exponential itself is in exp_test.cc.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <hwy/base.h>
#include <keylens/attention.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <random>
#include <vector>

#include "tests/attention/closeness.h"
#include "tests/attention/edge_case.h"
#include "tests/attention/element.h"
#include "tests/attention/matches_oracle.h"

#if HWY_ARCH_X86
#include <xmmintrin.h>
#endif

namespace keylens {
namespace {

constexpr AttentionShape kShape = {3, 4, 2, 75, 141, 21, 18};

// Every result of a case.
struct Everything {
  explicit Everything(const AttentionCase& attention)
      : beside(attention, 5),
        after(attention, 5),
        forward(ForwardBeside(attention)),
        gradients(Backward(attention, forward)) {
    Inspect(attention, forward, after.View());
  }

  ForwardResult ForwardBeside(const AttentionCase& attention) {
    const Inspection view = beside.View();
    return Forward(attention, &view);
  }

  Statistics beside;
  Statistics after;
  ForwardResult forward;
  Gradients gradients;
};

void ExpectSameStatistics(const Statistics& left, const Statistics& right) {
  EXPECT_TRUE(SameBits(left.weights.Values(), right.weights.Values()));
  EXPECT_TRUE(SameBits(left.entropy.Values(), right.entropy.Values()));
  EXPECT_TRUE(SameBits(left.key_mass.Values(), right.key_mass.Values()));
  EXPECT_TRUE(SameBits(left.offset_mass.Values(), right.offset_mass.Values()));
  EXPECT_EQ(left.top_keys.Values(), right.top_keys.Values());
  EXPECT_TRUE(SameBits(left.top_weights.Values(), right.top_weights.Values()));
  EXPECT_TRUE(SameBits(left.pooled.Values(), right.pooled.Values()));
}

void ExpectSame(const Everything& left, const Everything& right) {
  EXPECT_TRUE(SameBits(left.forward.out.Values(), right.forward.out.Values()));
  EXPECT_TRUE(SameBits(left.forward.logsumexp.Values(),
                       right.forward.logsumexp.Values()));
  ExpectSameStatistics(left.beside, right.beside);
  ExpectSameStatistics(left.after, right.after);
  EXPECT_TRUE(
      SameBits(left.gradients.query.Values(), right.gradients.query.Values()));
  EXPECT_TRUE(
      SameBits(left.gradients.key.Values(), right.gradients.key.Values()));
  EXPECT_TRUE(
      SameBits(left.gradients.value.Values(), right.gradients.value.Values()));
}

TEST_P(EdgeCase, L26_LongRowsOfEqualKeys) {
  constexpr int64_t kKeys = 65'536;
  AttentionCase attention({1, 1, 1, 2, kKeys, 4, 3});
  attention.key.Fill([] { return 0.5f; });
  Statistics statistics(attention, 3);
  const Inspection view = statistics.View();
  ForwardResult forward = Forward(attention, &view);
  const auto expect_uniform = [](const Statistics& actual) {
    constexpr double kWanted = 1.0 / kKeys;
    for (const float weight : actual.weights.Values()) {
      ASSERT_NEAR(weight, kWanted, 1e-6 * kWanted);
    }
  };
  expect_uniform(statistics);
  EXPECT_THAT(statistics.top_keys.Values(),
              ::testing::ElementsAre(0, 1, 2, 0, 1, 2));
  ExpectMatchesOracle(attention);
}

TEST_P(EdgeCase, L27_TheSameScoreHasTheSameBitsWhereverItFalls) {
  for (const int64_t kv_len : {131, 600, 1027}) {
    AttentionCase attention({1, 1, 1, 7, kv_len, 9, 3});
    ForEachIndex<4>(attention.key.view().shape, [&](const auto& index) {
      attention.key(index) = attention.key({0, 0, index[2] % 7, index[3]});
    });
    Statistics statistics(attention, 3);
    const Inspection view = statistics.View();
    Forward(attention, &view);
    ForEachIndex<4>(statistics.weights.view().shape, [&](const auto& index) {
      ASSERT_EQ(statistics.weights(index),
                statistics.weights({0, 0, index[2], index[3] % 7}))
          << "key " << index[3] << " of " << kv_len;
    });
  }
}

// Enough work for seven threads; fewer heads than threads, so that rows are
// split; and more keys than one unit of a pass takes.
TEST_P(EdgeCase, L28_TheSameBitsForAnyNumberOfThreads) {
  const auto causal = CausalMask(CausalAlignment::kBottomRight);
  for (const Mask* mask : {static_cast<const Mask*>(nullptr),
                           static_cast<const Mask*>(causal.get())}) {
    for (const AttentionShape& shape :
         {AttentionShape{3, 4, 2, 75, 141, 45, 38},
          AttentionShape{1, 1, 1, 401, 457, 36, 24},
          AttentionShape{1, 2, 1, 101, 2300, 16, 10}}) {
      AttentionCase attention(shape);
      attention.options.mask = mask;
      attention.options.num_threads = 1;
      const Everything alone(attention);
      for (const int threads : {2, 3, 7, 0}) {
        attention.options.num_threads = threads;
        ExpectSame(alone, Everything(attention));
      }
    }
  }
}

// One entry of the batch, or one kv head with its group, as a case of its own.
AttentionCase Part(const AttentionCase& whole, int64_t batch, int64_t kv_head,
                   const AttentionShape& shape) {
  AttentionCase part(shape);
  const int64_t group = kShape.num_heads / kShape.num_kv_heads;
  const auto copy = [&](Buffer<float, 4>& to, Buffer<float, 4> from,
                        int64_t first_head) {
    ForEachIndex<4>(to.view().shape, [&](const auto& index) {
      to(index) =
          from({batch + index[0], first_head + index[1], index[2], index[3]});
    });
  };
  copy(part.query, whole.query, kv_head * group);
  copy(part.key, whole.key, kv_head);
  copy(part.value, whole.value, kv_head);
  copy(part.out_grad, whole.out_grad, kv_head * group);
  part.options = whole.options;
  return part;
}

// The elements of `whole` that a part covers.
std::vector<float> Covered(Buffer<float, 4> whole, int64_t batch,
                           int64_t first_head, const Buffer<float, 4>& part) {
  std::vector<float> values;
  ForEachIndex<4>(part.view().shape, [&](const auto& index) {
    values.push_back(
        whole({batch + index[0], first_head + index[1], index[2], index[3]}));
  });
  return values;
}

TEST_P(EdgeCase, L28_ASequenceAloneOrInABatch) {
  const AttentionCase whole(kShape);
  const Everything all(whole);
  AttentionShape one_entry = kShape;
  one_entry.batch = 1;
  AttentionShape one_head = {1, 2, 1, 75, 141, 21, 18};
  const auto expect_part = [&](int64_t batch, int64_t kv_head,
                               const AttentionShape& shape) {
    const Everything part(Part(whole, batch, kv_head, shape));
    EXPECT_TRUE(
        SameBits(Covered(all.forward.out, batch, kv_head * 2, part.forward.out),
                 part.forward.out.Values()));
    EXPECT_TRUE(SameBits(
        Covered(all.beside.weights, batch, kv_head * 2, part.beside.weights),
        part.beside.weights.Values()));
    EXPECT_TRUE(SameBits(
        Covered(all.gradients.query, batch, kv_head * 2, part.gradients.query),
        part.gradients.query.Values()));
    EXPECT_TRUE(
        SameBits(Covered(all.gradients.key, batch, kv_head, part.gradients.key),
                 part.gradients.key.Values()));
    EXPECT_TRUE(SameBits(
        Covered(all.gradients.value, batch, kv_head, part.gradients.value),
        part.gradients.value.Values()));
  };
  for (int64_t batch = 0; batch < 3; ++batch) {
    expect_part(batch, 0, one_entry);
    expect_part(batch, 1, one_head);
  }
}

TEST_P(EdgeCase, L29_PermutingTheBatchPermutesEverything) {
  const AttentionCase attention(kShape);
  const Everything wanted(attention);
  AttentionCase permuted(kShape);
  const auto rotate = [](Buffer<float, 4>& to, Buffer<float, 4> from) {
    ForEachIndex<4>(to.view().shape, [&](const auto& index) {
      to(index) = from({(index[0] + 1) % 3, index[1], index[2], index[3]});
    });
  };
  rotate(permuted.query, attention.query);
  rotate(permuted.key, attention.key);
  rotate(permuted.value, attention.value);
  rotate(permuted.out_grad, attention.out_grad);
  const Everything actual(permuted);
  const auto expect_rotated = [&](const Buffer<float, 4>& left,
                                  Buffer<float, 4> right) {
    Buffer<float, 4> rotated = right;
    rotate(rotated, right);
    EXPECT_TRUE(SameBits(left.Values(), rotated.Values()));
  };
  expect_rotated(actual.forward.out, wanted.forward.out);
  expect_rotated(actual.beside.weights, wanted.beside.weights);
  expect_rotated(actual.beside.pooled, wanted.beside.pooled);
  expect_rotated(actual.gradients.query, wanted.gradients.query);
  expect_rotated(actual.gradients.key, wanted.gradients.key);
  expect_rotated(actual.gradients.value, wanted.gradients.value);
}

// The sum of the exponentials runs in another order, so the weights may differ
// in their last bits.
TEST_P(EdgeCase, L29_PermutingTheKeysPermutesTheWeights) {
  AttentionCase attention(kShape), permuted(kShape);
  std::vector<int64_t> order(kShape.kv_len);
  std::iota(order.begin(), order.end(), 0);
  std::shuffle(order.begin(), order.end(), std::mt19937_64(29));
  for (auto [to, from] : {std::pair{&permuted.key, &attention.key},
                          std::pair{&permuted.value, &attention.value}}) {
    ForEachIndex<4>(to->view().shape, [&, to = to,
                                       from = from](const auto& index) {
      (*to)(index) = (*from)({index[0], index[1], order[index[2]], index[3]});
    });
  }
  Everything wanted(attention), actual(permuted);
  ForEachIndex<4>(actual.beside.weights.view().shape, [&](const auto& index) {
    const float weight =
        wanted.beside.weights({index[0], index[1], index[2], order[index[3]]});
    ASSERT_NEAR(actual.beside.weights(index), weight, 3e-6 * weight);
  });
}

#if HWY_ARCH_X86
// While it lives, this thread takes denormal numbers for 0 and makes none.
class FlushToZero {
 public:
  FlushToZero() : before_(_mm_getcsr()) { _mm_setcsr(before_ | 0x8040); }
  ~FlushToZero() { _mm_setcsr(before_); }
  FlushToZero(const FlushToZero&) = delete;
  FlushToZero& operator=(const FlushToZero&) = delete;

 private:
  unsigned before_;
};
#endif

TEST_P(EdgeCase, L31_DenormalInputs) {
  AttentionCase attention({1, 2, 1, 19, 45, 12, 9});
  for (Buffer<float, 4>* tensor :
       {&attention.query, &attention.value, &attention.out_grad}) {
    const float least = LeastPositive();
    float next = 0;
    tensor->Fill([&] { return next += 3 * least; });
  }
  attention.options.num_threads = 1;
  ExpectMatchesOracle(attention);
#if HWY_ARCH_X86
  const FlushToZero flush;
  const Everything flushed(attention);
  const auto finite = [](float value) { return std::isfinite(value); };
  EXPECT_THAT(flushed.forward.out.Values(),
              ::testing::Each(::testing::Truly(finite)));
  EXPECT_THAT(flushed.gradients.query.Values(),
              ::testing::Each(::testing::Truly(finite)));
  // The numbers of float16 go up to 3 * 456 * 2^-24, 8e-5, and make scores of
  // some 4e-4: weights differ by as much of themselves.
  for (const float weight : flushed.beside.weights.Values()) {
    EXPECT_NEAR(weight, 1.0 / 45, 4e-4 / 45);
  }
#endif
}

}  // namespace
}  // namespace keylens
