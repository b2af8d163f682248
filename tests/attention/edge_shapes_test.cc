// Lines 1 to 6: shapes.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <keylens/attention.h>

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "tests/attention/closeness.h"
#include "tests/attention/edge_case.h"
#include "tests/attention/element.h"
#include "tests/attention/matches_oracle.h"

namespace keylens {
namespace {

INSTANTIATE_TEST_SUITE_P(, EdgeCase, EveryTargetAndElement(),
                         TargetAndElementName);

using ::testing::Each;

// Runs everything on a case without scores. Nothing is attended to, so all
// that has elements is 0.
void ExpectAllZero(const AttentionShape& shape) {
  const AttentionCase attention(shape);
  Statistics statistics(attention, 3);
  const Inspection view = statistics.View();
  ForwardResult forward = Forward(attention, &view);
  EXPECT_THAT(forward.out.Values(), Each(0));
  EXPECT_THAT(forward.logsumexp.Values(), Each(-kInf));
  EXPECT_THAT(statistics.entropy.Values(), Each(0));
  EXPECT_THAT(statistics.key_mass.Values(), Each(0));
  EXPECT_THAT(statistics.offset_mass.Values(), Each(0));
  EXPECT_THAT(statistics.top_keys.Values(), Each(-1));
  EXPECT_THAT(statistics.top_weights.Values(), Each(0));
  EXPECT_THAT(statistics.pooled.Values(), Each(0));
  const Gradients gradients = Backward(attention, forward);
  EXPECT_THAT(gradients.query.Values(), Each(0));
  EXPECT_THAT(gradients.key.Values(), Each(0));
  EXPECT_THAT(gradients.value.Values(), Each(0));
  ExpectMatchesOracle(attention);
}

TEST_P(EdgeCase, L1_NoBatch) { ExpectAllZero({0, 4, 2, 5, 7, 8, 6}); }
TEST_P(EdgeCase, L1_NoHeads) { ExpectAllZero({2, 0, 2, 5, 7, 8, 6}); }
TEST_P(EdgeCase, L1_NoHeadsAtAll) { ExpectAllZero({2, 0, 0, 5, 7, 8, 6}); }
TEST_P(EdgeCase, L1_NoQueries) { ExpectAllZero({2, 4, 2, 0, 7, 8, 6}); }
TEST_P(EdgeCase, L2_NoKeys) { ExpectAllZero({2, 4, 2, 5, 0, 8, 6}); }
TEST_P(EdgeCase, L2_NeitherQueriesNorKeys) {
  ExpectAllZero({2, 4, 2, 0, 0, 8, 6});
}

TEST_P(EdgeCase, L3_OneKeyHasAllTheWeight) {
  AttentionCase attention({2, 4, 2, 37, 1, 19, 23});
  ExpectMatchesOracle(attention);
  Statistics statistics(attention, 2);
  const Inspection view = statistics.View();
  ForwardResult forward = Forward(attention, &view);
  EXPECT_THAT(statistics.weights.Values(), Each(1));
  EXPECT_THAT(statistics.entropy.Values(), Each(0));
  ForEachIndex<4>(forward.out.view().shape, [&](const auto& index) {
    ASSERT_EQ(forward.out(index),
              attention.value({index[0], index[1] / 2, 0, index[3]}));
  });
}

TEST_P(EdgeCase, L4_HeadDims) {
  uint64_t seed = 40;
  for (const int64_t head_dim : {1, 3, 17, 40, 72, 80, 127, 160, 256, 576}) {
    for (const int64_t value_dim : {head_dim, int64_t{1}, head_dim + 5}) {
      ExpectMatchesOracle(
          AttentionCase({1, 2, 1, 21, 35, head_dim, value_dim}, ++seed));
    }
  }
}

TEST_P(EdgeCase, L5_LengthsAroundEveryEdge) {
  uint64_t seed = 50;
  for (const int64_t edge :
       {2, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512}) {
    for (const int64_t length : {edge - 1, edge, edge + 1}) {
      ExpectMatchesOracle(AttentionCase({1, 1, 1, length, 9, 7, 5}, ++seed));
      ExpectMatchesOracle(AttentionCase({1, 1, 1, 9, length, 7, 5}, ++seed));
    }
  }
}

// Expects every entry point that takes these inputs to refuse them, before it
// has written anything, with a message that starts with its name and holds
// `quoted`.
void ExpectRefused(const AttentionInputs<float>& inputs,
                   const AttentionShape& shape, const std::string& quoted) {
  Buffer<float, 4> out(
      {shape.batch, shape.num_heads, shape.query_len, shape.value_dim});
  Buffer<float, 3> logsumexp({shape.batch, shape.num_heads, shape.query_len});
  const std::string message = InvalidArgument([&] {
    RunForward(inputs, {}, {out.view(), logsumexp.view()});
  });
  EXPECT_THAT(message, ::testing::StartsWith("AttentionForward: "));
  EXPECT_THAT(message, ::testing::HasSubstr(quoted));
  EXPECT_TRUE(IsNan(out.Values())) << "written before the check";
  EXPECT_TRUE(IsNan(logsumexp.Values())) << "written before the check";
}

TEST_P(EdgeCase, L6_HeadsThatAreNoMultiple) {
  const AttentionShape shape = {1, 5, 2, 7, 9, 4, 3};
  const AttentionCase attention(shape);
  ExpectRefused(attention.Inputs(), shape, "[1, 5, 7, 4]");
  ExpectRefused(attention.Inputs(), shape, "[1, 2, 9, 4]");
}

TEST_P(EdgeCase, L6_NoHeadsForTheKeys) {
  const AttentionShape shape = {1, 5, 0, 7, 9, 4, 3};
  const AttentionCase attention(shape);
  ExpectRefused(attention.Inputs(), shape, "[1, 0, 9, 4]");
}

TEST_P(EdgeCase, L6_EveryAxisThatDisagrees) {
  const AttentionShape shape = {2, 4, 2, 7, 9, 5, 3};
  const AttentionCase attention(shape);
  const auto with = [&](auto change) {
    AttentionInputs<float> inputs = attention.Inputs();
    change(inputs);
    return inputs;
  };
  using Inputs = AttentionInputs<float>;
  // Each made smaller by one, so that no memory beyond a buffer is named.
  ExpectRefused(with([](Inputs& in) { in.key.shape[0] = 1; }), shape,
                "[1, 2, 9, 5]");
  ExpectRefused(with([](Inputs& in) { in.value.shape[0] = 1; }), shape,
                "[1, 2, 9, 3]");
  ExpectRefused(with([](Inputs& in) { in.value.shape[1] = 1; }), shape,
                "[2, 1, 9, 3]");
  ExpectRefused(with([](Inputs& in) { in.value.shape[2] = 8; }), shape,
                "[2, 2, 8, 3]");
  ExpectRefused(with([](Inputs& in) { in.key.shape[3] = 4; }), shape,
                "[2, 2, 9, 4]");
  ExpectRefused(with([](Inputs& in) { in.query.shape[2] = -7; }), shape,
                "[2, 4, -7, 5]");
}

TEST_P(EdgeCase, L6_OutputsOfTheWrongShape) {
  const AttentionCase attention({2, 4, 2, 7, 9, 5, 3});
  Buffer<float, 4> out({2, 4, 7, 4});
  Buffer<float, 3> logsumexp({2, 4, 7});
  EXPECT_THAT(
      InvalidArgument([&] {
        RunForward(attention.Inputs(), {}, {out.view(), logsumexp.view()});
      }),
      ::testing::HasSubstr("[2, 4, 7, 4]"));
  Buffer<float, 4> right({2, 4, 7, 3});
  Buffer<float, 3> short_logsumexp({2, 4, 6});
  EXPECT_THAT(InvalidArgument([&] {
                RunForward(attention.Inputs(), {},
                           {right.view(), short_logsumexp.view()});
              }),
              ::testing::HasSubstr("[2, 4, 6]"));
  EXPECT_TRUE(IsNan(right.Values())) << "written before the check";
}

TEST_P(EdgeCase, L6_GradientOfTheWrongShape) {
  const AttentionCase attention({2, 4, 2, 7, 9, 5, 3});
  ForwardResult forward = Forward(attention);
  Buffer<float, 4> query({2, 4, 7, 5}), key({2, 4, 9, 5}), value({2, 2, 9, 3});
  const std::string message = InvalidArgument([&] {
    RunBackward(attention.Inputs(), {}, forward.Outputs(),
                attention.out_grad.view(),
                {query.view(), key.view(), value.view()});
  });
  EXPECT_THAT(message, ::testing::StartsWith("AttentionBackward: "));
  EXPECT_THAT(message, ::testing::HasSubstr("[2, 4, 9, 5]"));
  EXPECT_TRUE(IsNan(query.Values())) << "written before the check";
  EXPECT_TRUE(IsNan(value.Values())) << "written before the check";
}

// Expects an inspection to be refused beside the forward pass and alone, and
// nothing to be written.
void ExpectInspectionRefused(const AttentionCase& attention,
                             const Inspection& inspection) {
  ForwardResult forward = Forward(attention);
  EXPECT_THAT(InvalidArgument([&] { Inspect(attention, forward, inspection); }),
              ::testing::StartsWith("AttentionInspect: "));
  EXPECT_THAT(InvalidArgument([&] { Forward(attention, &inspection); }),
              ::testing::StartsWith("AttentionForward: "));
}

TEST_P(EdgeCase, L6_InspectionThatDoesNotFit) {
  const AttentionCase attention({2, 4, 2, 7, 9, 5, 3});
  const auto with = [&](auto change) {
    Statistics statistics(attention, 3);
    Inspection inspection = statistics.View();
    change(inspection, statistics);
    ExpectInspectionRefused(attention, inspection);
    EXPECT_TRUE(IsNan(statistics.weights.Values()));
    EXPECT_TRUE(IsNan(statistics.entropy.Values()));
    EXPECT_TRUE(IsNan(statistics.pooled.Values()));
  };
  using S = Statistics;
  with([](Inspection& view, S&) { view.top_keys.shape[3] = 0; });
  with([](Inspection& view, S&) { view.top_keys.shape[3] = -1; });
  with([](Inspection& view, S&) { view.top_weights.shape[3] = 2; });
  with([](Inspection& view, S&) { view.entropy.shape[2] = 6; });
  with([](Inspection& view, S&) { view.key_mass.shape[2] = 8; });
  with([](Inspection& view, S&) { view.offset_mass.shape[2] = 14; });
  with([](Inspection& view, S&) { view.weights.shape[3] = 8; });
  with([](Inspection& view, S&) { view.query_rows = {3, 8}; });
  with([](Inspection& view, S&) { view.query_rows = {-2, 5}; });
  with([](Inspection& view, S&) { view.query_rows = {5, 3}; });
  with([](Inspection& view, S& s) {
    s.query_group[6] = -2;
    view.query_group = s.query_group;
  });
  with([](Inspection& view, S& s) {
    s.key_group[0] = static_cast<int32_t>(view.pooled.shape[3]);
  });
  with([](Inspection& view, S& s) {
    s.query_group.pop_back();
    view.query_group = s.query_group;
  });
}

TEST_P(EdgeCase, L6_MaskAndModThatDoNotFit) {
  AttentionCase attention({2, 4, 2, 7, 9, 5, 3});
  const auto padding = KeyPaddingMask({1, 2, 3});
  attention.options.mask = padding.get();
  EXPECT_THAT(
      InvalidArgument([&] { Forward(attention); }),
      ::testing::AllOf(
          ::testing::StartsWith("AttentionForward: "),
          ::testing::HasSubstr("live_keys has 3 entries for a batch of 2")));
  attention.options.mask = nullptr;
  const RuleBias bias(6, 9, [](int64_t, int64_t) { return 0.0f; });
  attention.options.score_mods = {bias.get()};
  EXPECT_THAT(InvalidArgument([&] { Forward(attention); }),
              ::testing::HasSubstr("bias [1, 1, 6, 9] does not broadcast to "
                                   "the scores [2, 4, 7, 9]"));
  attention.options.score_mods = {nullptr};
  EXPECT_NE(InvalidArgument([&] { Forward(attention); }), "");
}

TEST_P(EdgeCase, L6_ThreadsBelowZero) {
  AttentionCase attention({2, 4, 2, 7, 9, 5, 3});
  attention.options.num_threads = -1;
  EXPECT_THAT(InvalidArgument([&] { Forward(attention); }),
              ::testing::StartsWith("AttentionForward: "));
}

}  // namespace
}  // namespace keylens
