// Packed sequences from C have the bits of those from C++.

#include <gtest/gtest.h>
#include <keylens/packed_sequences.h>

#include <cstdint>
#include <vector>

#include "tests/c_api/call.h"

namespace keylens {
namespace {

template <typename T>
class CPacked : public ::testing::Test {};
TYPED_TEST_SUITE(CPacked, ElementTypes);

// Batch entry 0 of a call, as a batch of one.
template <typename View>
View First(View view) {
  view.shape[0] = 1;
  return view;
}

keylens_tensor First(keylens_tensor tensor) {
  tensor.shape[0] = 1;
  return tensor;
}

TYPED_TEST(CPacked, ForwardAndBackwardHaveTheSameBits) {
  const std::vector<int64_t> query = {0, 20, 20, 61};
  const std::vector<int64_t> key = {0, 100, 130, 300};
  Call<TypeParam> cpp, c;
  const AttentionInputs<TypeParam> inputs = {First(cpp.inputs().query),
                                             First(cpp.inputs().key),
                                             First(cpp.inputs().value)};
  const AttentionOutputs<TypeParam> outputs = {First(cpp.out.view()),
                                               First(cpp.logsumexp.view())};
  AttentionForwardPacked(inputs, {query, key}, {}, outputs);
  AttentionBackwardPacked<TypeParam>(inputs, {query, key}, {}, outputs,
                                     First(cpp.out_grad.view()),
                                     {.query = First(cpp.query_grad.view()),
                                      .key = First(cpp.key_grad.view()),
                                      .value = First(cpp.value_grad.view())});

  const auto all = c.c_inputs();
  const keylens_attention_inputs c_inputs = {First(all.query), First(all.key),
                                             First(all.value)};
  const keylens_attention_outputs c_outputs = {First(c.c_outputs().out),
                                               First(c.c_outputs().logsumexp)};
  const keylens_sequence_offsets offsets = {query.data(), key.data(), 3};
  keylens_attention_gradients gradients = {};
  gradients.query = First(InC(c.query_grad.view()));
  gradients.key = First(InC(c.key_grad.view()));
  gradients.value = First(InC(c.value_grad.view()));
  const keylens_tensor out_grad = First(InC(c.out_grad.view()));
  constexpr auto kType = kElement<TypeParam>;
  ASSERT_TRUE(Ok(keylens_attention_forward_packed(kType, &c_inputs, &offsets,
                                                  nullptr, &c_outputs)));
  ASSERT_TRUE(Ok(keylens_attention_backward_packed(
      kType, &c_inputs, &offsets, nullptr, &c_outputs, &out_grad, &gradients)));
  Call<TypeParam>::ExpectSame(cpp, c);
  EXPECT_FALSE(SameBytes(c.key_grad, Call<TypeParam>().key_grad));
}

}  // namespace
}  // namespace keylens
