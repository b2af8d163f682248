// Lines 8 and 10: memory.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <keylens/attention.h>

#include <cstdint>
#include <string>
#include <vector>

#include "tests/attention/closeness.h"
#include "tests/attention/edge_case.h"
#include "tests/attention/element.h"
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
  EXPECT_TRUE(SameBits(left_statistics.offset_mass.Values(),
                       right_statistics.offset_mass.Values()));
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
  RunForward(inputs, {}, actual.Outputs());
  EXPECT_TRUE(SameBits(actual.out.Values(), wanted.out.Values()));
  const Gradients wanted_grad = Backward(dense, wanted);
  RunBackward(
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
  RunForward(inputs, {}, actual.Outputs());
  EXPECT_TRUE(SameBits(actual.out.Values(), wanted.out.Values()));
  EXPECT_TRUE(SameBits(actual.logsumexp.Values(), wanted.logsumexp.Values()));
  const Gradients wanted_grad = Backward(copy, wanted);
  Gradients grad = wanted_grad;
  RunBackward(inputs, {}, actual.Outputs(), copy.out_grad.view(), grad.Views());
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

TEST_P(EdgeCase, L10_OnlyElementsAreWritten) {
  // ExpectMatchesOracle looks between the elements of every result.
  for (uint64_t seed = 100; seed < 110; ++seed) {
    ExpectMatchesOracle(AttentionCase::InStrangeLayouts(kShape, seed));
  }
}

}  // namespace
}  // namespace keylens
