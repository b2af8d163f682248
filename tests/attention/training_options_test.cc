// What training asks of attention beyond gradients of query, key and value:
// sinks, dropout, relevance; what score mods learn is in mod_gradient_test.cc.

#include <gtest/gtest.h>
#include <keylens/attention.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <span>
#include <stdexcept>
#include <vector>

#include "src/attention/reference/reference.h"
#include "tests/attention/attention_case.h"
#include "tests/attention/closeness.h"
#include "tests/attention/every_target.h"
#include "tests/attention/matches_oracle.h"

namespace keylens {
namespace {

class TrainingOptions : public OnEveryTarget {};
INSTANTIATE_TEST_SUITE_P(, TrainingOptions, EveryTarget(), TargetName);

constexpr float kInf = std::numeric_limits<float>::infinity();

// Several stretches of keys, several tiles of queries, grouped heads.
constexpr AttentionShape kLong = {2, 6, 3, 101, 2100, 24, 20};
constexpr AttentionShape kSmall = {2, 4, 2, 50, 70, 9, 13};
constexpr AttentionShape kFewRows = {2, 4, 1, 2, 70, 9, 13};

ReferenceGradients<double> Oracle(const AttentionCase& attention) {
  return ReferenceBackward<double, float>(attention.Inputs(), attention.options,
                                          attention.out_grad.view());
}

void RunBackward(const AttentionCase& attention,
                 AttentionGradients<float> views) {
  ForwardResult forward = Forward(attention);
  AttentionBackward<float>(attention.Inputs(), attention.options,
                           forward.Outputs(), attention.out_grad.view(), views);
}

// Largest magnitude, for tolerances.
double Largest(const std::vector<double>& values) {
  double largest = 0;
  for (const double x : values) largest = std::max(largest, std::abs(x));
  return largest;
}

TEST_P(TrainingOptions, SinksMatchTheOracle) {
  const std::vector<float> sinks = {0.5f, -kInf, 3.0f, -2.0f, 40.0f, 0.0f};
  const auto causal = CausalMask(CausalAlignment::kBottomRight);
  for (const AttentionShape& shape :
       {kSmall, kFewRows, AttentionShape{1, 6, 3, 60, 40, 8, 8}}) {
    AttentionCase attention = AttentionCase::InStrangeLayouts(shape, 3);
    attention.options.sinks = std::span(sinks).first(shape.num_heads);
    ExpectMatchesOracle(attention, 5);
    attention.options.mask = causal.get();  // rows without a live key, too
    ExpectMatchesOracle(attention, 5);
    std::vector<float> grad(shape.num_heads, NAN);
    RunBackward(attention,
                {.sinks = Contiguous(grad.data(), {shape.num_heads})});
    const auto wanted = Oracle(attention).sinks;
    EXPECT_TRUE(Close(grad, wanted, 1e-5 * (1 + Largest(wanted))));
  }
}

TEST_P(TrainingOptions, ARowWithASinkAloneHasItsLogsumexp) {
  AttentionCase attention(kFewRows);
  const std::vector<float> sinks = {1.0f, -kInf, 2.0f, -1.0f};
  const auto nothing = KeyPaddingMask({0, 0});
  attention.options.sinks = sinks;
  attention.options.mask = nothing.get();
  ForwardResult result = Forward(attention);
  for (const float x : result.out.Values()) EXPECT_EQ(x, 0.0f);
  for (int64_t head = 0; head < 4; ++head)
    EXPECT_EQ(result.logsumexp({1, head, 1}), sinks[head]);
}

// So much that the weights of the keys are 0 in float.
TEST_P(TrainingOptions, ASinkThatTakesAllTheWeight) {
  for (const AttentionShape& shape : {kSmall, kFewRows}) {
    AttentionCase attention(shape);
    const std::vector<float> sinks = {500.0f, 150.0f, 0.0f, 95.0f};
    attention.options.sinks = sinks;
    ExpectMatchesOracle(attention);
    Statistics statistics(attention, 2);
    const Inspection view = statistics.View();
    ForwardResult forward = Forward(attention, &view);
    EXPECT_EQ(forward.out({0, 0, 1, 0}), 0.0f);
    EXPECT_EQ(forward.logsumexp({0, 0, 1}), 500.0f);
    EXPECT_EQ(statistics.entropy({0, 0, 1}), 0.0f);
  }
}

TEST_P(TrainingOptions, DropoutMatchesTheOracle) {
  for (const AttentionShape& shape : {kSmall, kFewRows}) {
    AttentionCase attention = AttentionCase::InStrangeLayouts(shape, 8);
    attention.options.dropout = {0.3f, 99};
    ForwardResult forward = Forward(attention);
    const auto wanted =
        ReferenceForward<double, float>(attention.Inputs(), attention.options);
    EXPECT_TRUE(Close(forward.out.Values(), wanted.out, 2e-6));
    EXPECT_TRUE(Close(forward.logsumexp.Values(), wanted.logsumexp, 4e-6));
    const auto gradients = Oracle(attention);
    const Gradients actual = Backward(attention, forward);
    EXPECT_TRUE(Close(actual.query.Values(), gradients.query, 1e-5));
    EXPECT_TRUE(Close(actual.key.Values(), gradients.key, 2e-5));
    EXPECT_TRUE(Close(actual.value.Values(), gradients.value, 2e-5));
  }
}

TEST_P(TrainingOptions, DropoutIsTheSameForAnyThreads) {
  AttentionCase attention(kLong);
  attention.options.dropout = {0.1f, 5};
  attention.options.num_threads = 1;
  ForwardResult alone = Forward(attention);
  const Gradients gradients = Backward(attention, alone);
  attention.options.num_threads = 3;
  ForwardResult together = Forward(attention);
  EXPECT_TRUE(SameBits(alone.out.Values(), together.out.Values()));
  EXPECT_TRUE(SameBits(gradients.key.Values(),
                       Backward(attention, together).key.Values()));
}

TEST(Dropout, KeepsItsShareAndNoPattern) {
  constexpr int64_t kRows = 300, kKeys = 400;
  for (const float probability : {0.1f, 0.5f, 0.9f}) {
    const Dropout dropout = {probability, 1234};
    const double n = kRows * kKeys;
    double kept = 0, beside = 0, below = 0, other_seed = 0, other_head = 0;
    const auto keeps = [&](int64_t head, int64_t query, int64_t key) {
      return DropoutKeeps(dropout, 0, head, query, key) ? 1 : 0;
    };
    for (int64_t i = 0; i < kRows; ++i) {
      for (int64_t j = 0; j < kKeys; ++j) {
        const int one = keeps(0, i, j);
        kept += one;
        beside += one & keeps(0, i, j + 1);
        below += one & keeps(0, i + 1, j);
        other_head += one & keeps(1, i, j);
        other_seed +=
            one & (DropoutKeeps({probability, 1235}, 0, 0, i, j) ? 1 : 0);
      }
    }
    const double share = 1 - probability;
    const double deviation = 5 * std::sqrt(share * (1 - share) / n);
    EXPECT_NEAR(kept / n, share, deviation);
    // Two that are independent both stay with the square of the share.
    const double both = share * share;
    const double pairs = 5 * std::sqrt(both * (1 - both) / n) + deviation;
    for (const double count : {beside, below, other_head, other_seed})
      EXPECT_NEAR(count / n, both, pairs);
  }
}

TEST_P(TrainingOptions, RelevanceMatchesTheOracle) {
  for (const AttentionShape& shape : {kSmall, kLong}) {
    AttentionCase attention(shape);
    const auto causal = CausalMask(CausalAlignment::kTopLeft);
    attention.options.mask = causal.get();
    // The gradient by a weight that is dropped is 0.
    if (shape.kv_len == kSmall.kv_len) attention.options.dropout = {0.4f, 7};
    Statistics groups(attention, 1);
    const auto [b, h, q, k] = groups.pooled.view().shape;
    Buffer<float, 4> relevance({b, h, q, k}, ChannelsFirst());
    RunBackward(attention, {.query_group = groups.query_group,
                            .key_group = groups.key_group,
                            .relevance = relevance.view()});
    EXPECT_TRUE(relevance.PaddingIsUntouched());
    ReferenceResult<double> as_weights;
    as_weights.shape = shape;
    as_weights.weights = Oracle(attention).relevance;
    const auto wanted = ReferencePooled<double>(as_weights, groups.query_group,
                                                groups.key_group, q, k);
    EXPECT_TRUE(Close(relevance.Values(), wanted, 1e-5 * Largest(wanted)));
  }
}

TEST(TrainingOptionsErrors, NameWhatIsWrong) {
  AttentionCase attention(kSmall);
  const std::vector<float> three = {0, 0, 0}, bad = {0, 0, NAN, 0},
                           four = {0, 0, 0, 0};
  for (const auto& sinks : {three, bad}) {
    attention.options.sinks = sinks;
    EXPECT_THROW(Forward(attention), std::invalid_argument);
  }
  attention.options.sinks = {};
  std::vector<float> gradient(4);
  EXPECT_THROW(
      RunBackward(attention, {.sinks = Contiguous(gradient.data(), {4})}),
      std::invalid_argument);
  for (const float probability : {-0.1f, 1.0f, NAN}) {
    attention.options.dropout.probability = probability;
    EXPECT_THROW(Forward(attention), std::invalid_argument);
  }
  attention.options.dropout.probability = 0.5f;
  Statistics statistics(attention, 1);
  const Inspection inspection = statistics.View();
  EXPECT_THROW(Forward(attention, &inspection), std::invalid_argument);
}

}  // namespace
}  // namespace keylens
