// Lines 8 to 10: memory.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <keylens/attention.h>

#include <cstdint>
#include <string>
#include <vector>

#include "tests/attention/closeness.h"
#include "tests/attention/edge_case.h"
#include "tests/attention/matches_oracle.h"

namespace keylens {
namespace {

constexpr AttentionShape kShape = {2, 6, 2, 45, 67, 24, 17};

// Expects every result of two cases to have the same bits.
void ExpectSameResults(const AttentionCase& left, const AttentionCase& right) {
  Statistics left_statistics(left, 5), right_statistics(right, 5);
  const Inspection left_view = left_statistics.View();
  const Inspection right_view = right_statistics.View();
  ForwardResult left_forward = Forward(left, &left_view);
  ForwardResult right_forward = Forward(right, &right_view);
  EXPECT_TRUE(SameBits(left_forward.out.Values(), right_forward.out.Values()));
  EXPECT_TRUE(SameBits(left_forward.logsumexp.Values(),
                       right_forward.logsumexp.Values()));
  EXPECT_TRUE(SameBits(left_statistics.weights.Values(),
                       right_statistics.weights.Values()));
  EXPECT_TRUE(SameBits(left_statistics.key_mass.Values(),
                       right_statistics.key_mass.Values()));
  EXPECT_EQ(left_statistics.top_keys.Values(),
            right_statistics.top_keys.Values());
  EXPECT_TRUE(SameBits(left_statistics.pooled.Values(),
                       right_statistics.pooled.Values()));
  const Gradients left_gradients = Backward(left, left_forward);
  const Gradients right_gradients = Backward(right, right_forward);
  EXPECT_TRUE(
      SameBits(left_gradients.query.Values(), right_gradients.query.Values()));
  EXPECT_TRUE(
      SameBits(left_gradients.key.Values(), right_gradients.key.Values()));
  EXPECT_TRUE(
      SameBits(left_gradients.value.Values(), right_gradients.value.Values()));
}

AttentionCase InLayout(const Layout<4>& layout) {
  AttentionCase attention(kShape);
  for (Buffer<float, 4>* tensor : {&attention.query, &attention.key,
                                   &attention.value, &attention.out_grad}) {
    const std::vector<float> values = tensor->Values();
    *tensor = Buffer<float, 4>(tensor->view().shape, layout);
    std::size_t i = 0;
    tensor->Fill([&] { return values[i++]; });
  }
  attention.out_layout = layout;
  return attention;
}

TEST_P(EdgeCase, L8_ChannelsFirst) {
  ExpectSameResults(AttentionCase(kShape), InLayout(ChannelsFirst()));
}

TEST_P(EdgeCase, L8_LenBeforeHeads) {
  ExpectSameResults(AttentionCase(kShape), InLayout(LenBeforeHeads()));
}

TEST_P(EdgeCase, L8_NegativeStrides) {
  Layout<4> layout;
  layout.reversed = {true, true, true, true};
  ExpectSameResults(AttentionCase(kShape), InLayout(layout));
}

TEST_P(EdgeCase, L8_UnalignedBase) {
  Layout<4> layout;
  for (const int64_t offset : {1, 2, 3}) {
    layout.offset = offset;
    ExpectSameResults(AttentionCase(kShape), InLayout(layout));
  }
}

TEST_P(EdgeCase, L8_AnyLayout) {
  for (uint64_t seed = 80; seed < 90; ++seed) {
    ExpectSameResults(AttentionCase(kShape, seed),
                      AttentionCase::InStrangeLayouts(kShape, seed));
  }
}

TEST_P(EdgeCase, L8_OddStridesOnAxesOfLengthOne) {
  const AttentionShape shape = {1, 1, 1, 12, 1, 1, 1};
  for (uint64_t seed = 800; seed < 804; ++seed) {
    ExpectMatchesOracle(AttentionCase::InStrangeLayouts(shape, seed));
  }
}

// [batch, len, 3, heads, dim], as one linear layer leaves all three.
TensorView<float, 4> Third(std::vector<float>& packed, int64_t len,
                           int64_t heads, int64_t dim, int which) {
  const int64_t row = 3 * heads * dim;
  const int64_t batch = static_cast<int64_t>(packed.size()) / (len * row);
  return {packed.data() + which * heads * dim,
          {batch, heads, len, dim},
          {len * row, dim, row, 1}};
}

// The gradients are packed too: they interleave, and do not overlap.
TEST_P(EdgeCase, L8_PackedQueryKeyValue) {
  constexpr int64_t kLen = 33, kHeads = 4, kDim = 12;
  AttentionCase dense({2, kHeads, kHeads, kLen, kLen, kDim, kDim});
  std::vector<float> packed(2 * kLen * 3 * kHeads * kDim);
  std::vector<float> packed_grad(packed.size());
  const auto third = [&](std::vector<float>& memory, int which) {
    return Third(memory, kLen, kHeads, kDim, which);
  };
  int which = 0;
  for (const Buffer<float, 4>* tensor :
       {&dense.query, &dense.key, &dense.value}) {
    const std::vector<float> values = tensor->Values();
    const auto view = third(packed, which++);
    std::size_t i = 0;
    ForEachIndex<4>(view.shape, [&](const auto& index) {
      view.data[OffsetOf(view, index)] = values[i++];
    });
  }
  ForwardResult wanted = Forward(dense);
  ForwardResult actual = wanted;
  const AttentionInputs<float> inputs = {third(packed, 0), third(packed, 1),
                                         third(packed, 2)};
  AttentionForward<float>(inputs, {}, actual.Outputs());
  EXPECT_TRUE(SameBits(actual.out.Values(), wanted.out.Values()));
  const Gradients wanted_grad = Backward(dense, wanted);
  AttentionBackward<float>(
      inputs, {}, actual.Outputs(), dense.out_grad.view(),
      {third(packed_grad, 0), third(packed_grad, 1), third(packed_grad, 2)});
  EXPECT_TRUE(
      SameBits(Values(third(packed_grad, 0)), wanted_grad.query.Values()));
  EXPECT_TRUE(
      SameBits(Values(third(packed_grad, 1)), wanted_grad.key.Values()));
  EXPECT_TRUE(
      SameBits(Values(third(packed_grad, 2)), wanted_grad.value.Values()));
}

// Expects a call with these inputs to give the bits of the call with dense
// copies of them.
void ExpectSameAsDenseCopies(const AttentionInputs<float>& inputs) {
  AttentionCase copy(ShapeOf(inputs));
  const auto fill = [](Buffer<float, 4>& to, const auto& from) {
    const std::vector<float> values = Values(from);
    std::size_t i = 0;
    to.Fill([&] { return values[i++]; });
  };
  fill(copy.query, inputs.query);
  fill(copy.key, inputs.key);
  fill(copy.value, inputs.value);
  ForwardResult wanted = Forward(copy);
  ForwardResult actual = wanted;
  AttentionForward<float>(inputs, {}, actual.Outputs());
  EXPECT_TRUE(SameBits(actual.out.Values(), wanted.out.Values()));
  EXPECT_TRUE(SameBits(actual.logsumexp.Values(), wanted.logsumexp.Values()));
  const Gradients wanted_grad = Backward(copy, wanted);
  Gradients grad = wanted_grad;
  AttentionBackward<float>(inputs, {}, actual.Outputs(), copy.out_grad.view(),
                           grad.Views());
  EXPECT_TRUE(SameBits(grad.query.Values(), wanted_grad.query.Values()));
  EXPECT_TRUE(SameBits(grad.key.Values(), wanted_grad.key.Values()));
  EXPECT_TRUE(SameBits(grad.value.Values(), wanted_grad.value.Values()));
}

TEST_P(EdgeCase, L8_StrideZeroOnEachAxis) {
  const AttentionCase attention(kShape);
  for (int axis = 0; axis < 4; ++axis) {
    AttentionInputs<float> inputs = attention.Inputs();
    inputs.query.strides[axis] = 0;
    ExpectSameAsDenseCopies(inputs);
    inputs.key.strides[axis] = 0;
    ExpectSameAsDenseCopies(inputs);
    inputs.value.strides[axis] = 0;
    ExpectSameAsDenseCopies(inputs);
  }
}

TEST_P(EdgeCase, L8_InputsThatOverlapEachOther) {
  // The value of a key is the key two places on; the query is the key.
  const AttentionCase attention({1, 2, 2, 40, 40, 16, 16});
  AttentionInputs<float> inputs = attention.Inputs();
  inputs.query = inputs.key;
  inputs.value = inputs.key;
  for (auto* view : {&inputs.key, &inputs.query, &inputs.value}) {
    view->shape[2] = 38;
  }
  inputs.value.data += 2 * inputs.value.strides[2];
  ExpectSameAsDenseCopies(inputs);
}

TEST_P(EdgeCase, L9_OutputsThatOverlap) {
  AttentionCase attention({1, 2, 2, 9, 9, 8, 8});
  ForwardResult result = Forward(attention);
  const auto forward = [&](const AttentionOutputs<float>& outputs) {
    return InvalidArgument([&] {
      AttentionForward<float>(attention.Inputs(), attention.options, outputs);
    });
  };
  const std::vector<float> before = attention.query.Values();
  for (Buffer<float, 4>* input :
       {&attention.query, &attention.key, &attention.value}) {
    EXPECT_THAT(forward({input->view(), result.logsumexp.view()}),
                ::testing::StartsWith("AttentionForward: "));
  }
  EXPECT_TRUE(SameBits(attention.query.Values(), before));
  // One element is enough.
  auto late = attention.key.view();
  late.data += 2 * 9 * 8 - 1;
  EXPECT_NE(forward({late, result.logsumexp.view()}), "");
  // Two outputs, and one with itself.
  auto row = result.logsumexp.view();
  row.data = result.out.view().data;
  EXPECT_NE(forward({result.out.view(), row}), "");
  auto folded = result.out.view();
  folded.strides[2] = 0;
  EXPECT_NE(forward({folded, result.logsumexp.view()}), "");
}

TEST_P(EdgeCase, L9_GradientsThatOverlap) {
  AttentionCase attention({1, 2, 2, 9, 9, 8, 8});
  ForwardResult forward = Forward(attention);
  Gradients gradients = Backward(attention, forward);
  const auto backward = [&](const AttentionGradients<float>& views) {
    return InvalidArgument([&] {
      AttentionBackward<float>(attention.Inputs(), attention.options,
                               forward.Outputs(), attention.out_grad.view(),
                               views);
    });
  };
  AttentionGradients<float> views = gradients.Views();
  EXPECT_EQ(backward(views), "");
  views.query = attention.query.view();
  EXPECT_THAT(backward(views), ::testing::StartsWith("AttentionBackward: "));
  views.query = attention.out_grad.view();
  EXPECT_NE(backward(views), "");
  views.query = forward.out.view();
  EXPECT_NE(backward(views), "");
  views.query = views.key;
  EXPECT_NE(backward(views), "");
}

TEST_P(EdgeCase, L9_StatisticsThatOverlap) {
  AttentionCase attention({1, 2, 2, 9, 9, 9, 8});
  Statistics statistics(attention, 3);
  Inspection inspection = statistics.View();
  inspection.weights = attention.key.view();
  EXPECT_NE(InvalidArgument([&] { Forward(attention, &inspection); }), "");
  inspection = statistics.View();
  inspection.entropy = inspection.key_mass;
  EXPECT_NE(InvalidArgument([&] { Forward(attention, &inspection); }), "");
}

TEST_P(EdgeCase, L9_NullData) {
  const AttentionCase attention({1, 2, 2, 9, 9, 8, 8});
  ForwardResult result = Forward(attention);
  for (int which = 0; which < 4; ++which) {
    AttentionInputs<float> inputs = attention.Inputs();
    AttentionOutputs<float> outputs = result.Outputs();
    if (which == 0) inputs.query.data = nullptr;
    if (which == 1) inputs.key.data = nullptr;
    if (which == 2) inputs.value.data = nullptr;
    if (which == 3) outputs.out.data = nullptr;
    EXPECT_THAT(InvalidArgument([&] {
                  AttentionForward<float>(inputs, attention.options, outputs);
                }),
                ::testing::StartsWith("AttentionForward: "));
  }
  // A view without elements needs no data.
  AttentionInputs<float> none = attention.Inputs();
  none.query.shape[0] = none.key.shape[0] = none.value.shape[0] = 0;
  none.query.data = none.key.data = none.value.data = nullptr;
  EXPECT_NO_THROW(AttentionForward<float>(
      none, {}, {Contiguous<float>(nullptr, {0, 2, 9, 8}), {}}));
}

// What may be null without being missed.
TEST_P(EdgeCase, L9_NullThatIsNotAskedFor) {
  const AttentionCase attention({1, 2, 2, 9, 9, 8, 7});
  ForwardResult wanted = Forward(attention);
  ForwardResult actual = wanted;
  AttentionForward<float>(attention.Inputs(), {}, {actual.out.view(), {}});
  EXPECT_TRUE(SameBits(actual.out.Values(), wanted.out.Values()));

  const Gradients all = Backward(attention, wanted);
  for (int asked = 0; asked < 3; ++asked) {
    Buffer<float, 4> query({1, 2, 9, 8}), key({1, 2, 9, 8}),
        value({1, 2, 9, 7});
    AttentionGradients<float> views = {query.view(), key.view(), value.view()};
    if (asked != 0) views.query.data = nullptr;
    if (asked != 1) views.key.data = nullptr;
    if (asked != 2) views.value.data = nullptr;
    AttentionBackward<float>(attention.Inputs(), {}, wanted.Outputs(),
                             attention.out_grad.view(), views);
    const Buffer<float, 4>& written = asked == 0   ? query
                                      : asked == 1 ? key
                                                   : value;
    const Buffer<float, 4>& right = asked == 0   ? all.query
                                    : asked == 1 ? all.key
                                                 : all.value;
    EXPECT_TRUE(SameBits(written.Values(), right.Values()));
  }

  Statistics statistics(attention, 3);
  AttentionInputs<float> without_value = attention.Inputs();
  without_value.value.data = nullptr;
  EXPECT_NO_THROW(AttentionInspect<float>(
      without_value, {}, wanted.logsumexp.view(), statistics.View()));
}

TEST_P(EdgeCase, L10_OnlyElementsAreWritten) {
  // ExpectMatchesOracle looks between the elements of every result.
  for (uint64_t seed = 100; seed < 110; ++seed) {
    ExpectMatchesOracle(AttentionCase::InStrangeLayouts(kShape, seed));
  }
}

}  // namespace
}  // namespace keylens
