// The passes from C have the bits of those from C++, for every element type.

#include <gtest/gtest.h>
#include <keylens/attention.h>

#include <vector>

#include "tests/c_api/call.h"

namespace keylens {
namespace {

template <typename T>
class CAttention : public ::testing::Test {};
TYPED_TEST_SUITE(CAttention, ElementTypes);

TYPED_TEST(CAttention, ForwardAndBackwardHaveTheSameBits) {
  Call<TypeParam> cpp, c;
  cpp.RunCpp({});
  c.RunC(nullptr);
  Call<TypeParam>::ExpectSame(cpp, c);
  EXPECT_TRUE(c.out.PaddingIsUntouched());
  EXPECT_TRUE(c.query_grad.PaddingIsUntouched());
}

TYPED_TEST(CAttention, OnlyTheOutputMayBeAskedFor) {
  Call<TypeParam> cpp, c;
  AttentionForward(cpp.inputs(), {}, {cpp.out.view(), {}});
  const auto inputs = c.c_inputs();
  keylens_attention_outputs outputs = {};
  outputs.out = InC(c.out.view());
  ASSERT_TRUE(Ok(keylens_attention_forward(kElement<TypeParam>, &inputs,
                                           nullptr, &outputs, nullptr)));
  const auto nothing = keylens_inspection_of_nothing();
  ASSERT_TRUE(Ok(keylens_attention_forward(kElement<TypeParam>, &inputs,
                                           nullptr, &outputs, &nothing)));
  Call<TypeParam>::ExpectSame(cpp, c);
}

TYPED_TEST(CAttention, OneGradientMayBeAskedFor) {
  Call<TypeParam> cpp, c;
  AttentionForward(cpp.inputs(), {}, cpp.outputs());
  AttentionBackward<TypeParam>(cpp.inputs(), {}, cpp.outputs(),
                               cpp.out_grad.view(),
                               {.key = cpp.key_grad.view()});
  const auto inputs = c.c_inputs();
  const auto outputs = c.c_outputs();
  const keylens_tensor out_grad = InC(c.out_grad.view());
  keylens_attention_gradients gradients = {};
  gradients.key = InC(c.key_grad.view());
  ASSERT_TRUE(Ok(keylens_attention_forward(kElement<TypeParam>, &inputs,
                                           nullptr, &outputs, nullptr)));
  ASSERT_TRUE(Ok(keylens_attention_backward(
      kElement<TypeParam>, &inputs, nullptr, &outputs, &out_grad, &gradients)));
  Call<TypeParam>::ExpectSame(cpp, c);
}

TYPED_TEST(CAttention, InspectHasTheSameBits) {
  Call<TypeParam> cpp, c;
  AttentionForward(cpp.inputs(), {}, cpp.outputs());
  AttentionInspect(cpp.inputs(), {}, cpp.logsumexp.view(), cpp.inspection());
  auto inputs = c.c_inputs();
  const auto outputs = c.c_outputs();
  ASSERT_TRUE(Ok(keylens_attention_forward(kElement<TypeParam>, &inputs,
                                           nullptr, &outputs, nullptr)));
  inputs.value = {};  // not read
  const auto look = c.c_inspection();
  ASSERT_TRUE(Ok(keylens_attention_inspect(
      kElement<TypeParam>, &inputs, nullptr, &outputs.logsumexp, &look)));
  Call<TypeParam>::ExpectSame(cpp, c);
}

// All rows, where no range is given.
TYPED_TEST(CAttention, WeightsOfAllRowsAreTheDefault) {
  Call<TypeParam> call;
  Buffer<float, 4> cpp({2, 4, 61, 300}), c({2, 4, 61, 300});
  Inspection look;
  look.weights = cpp.view();
  AttentionForward(call.inputs(), {}, call.outputs(), &look);
  const auto inputs = call.c_inputs();
  const auto outputs = call.c_outputs();
  keylens_inspection c_look = keylens_inspection_of_nothing();
  c_look.weights = InC(c.view());
  ASSERT_TRUE(Ok(keylens_attention_forward(kElement<TypeParam>, &inputs,
                                           nullptr, &outputs, &c_look)));
  EXPECT_TRUE(SameBytes(cpp, c));
}

TYPED_TEST(CAttention, MergeHasTheSameBits) {
  Call<TypeParam> first(1), second(2), cpp(3), c(3);
  first.RunCpp({});
  second.RunCpp({});
  const AttentionPart<TypeParam> parts[] = {
      {first.out.view(), first.logsumexp.view()},
      {second.out.view(), second.logsumexp.view()}};
  MergeAttention<TypeParam>(parts, cpp.outputs(), 2);
  const keylens_attention_outputs c_parts[] = {first.c_outputs(),
                                               second.c_outputs()};
  const auto merged = c.c_outputs();
  ASSERT_TRUE(
      Ok(keylens_merge_attention(kElement<TypeParam>, c_parts, 2, &merged, 2)));
  Call<TypeParam>::ExpectSame(cpp, c);
  EXPECT_FALSE(SameBytes(c.out, first.out));
}

}  // namespace
}  // namespace keylens
