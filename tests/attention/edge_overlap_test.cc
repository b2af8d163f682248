// Line 9: outputs that overlap, and null data.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <keylens/attention.h>

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "tests/attention/closeness.h"
#include "tests/attention/edge_case.h"
#include "tests/attention/element.h"

namespace keylens {
namespace {

constexpr std::array<int64_t, 4> kAxes = {1, 2, 9, 8};

// A call with tensors of T, not copies of floats: the memory is the point.
template <typename T>
struct Call {
  Call() {
    for (auto* input : {&query, &key, &value, &out_grad}) {
      input->Fill([] { return T(0.5f); });
    }
    Forward({out.view(), logsumexp.view()});
  }

  void Forward(const AttentionOutputs<T>& outputs,
               const Inspection* inspection = nullptr) {
    AttentionForward<T>({query.view(), key.view(), value.view()}, {}, outputs,
                        inspection);
  }
  void Backward(const AttentionGradients<T>& gradients) {
    AttentionBackward<T>({query.view(), key.view(), value.view()}, {},
                         {out.view(), logsumexp.view()}, out_grad.view(),
                         gradients);
  }
  AttentionGradients<T> Gradients() {
    return {query_grad.view(), key_grad.view(), value_grad.view()};
  }

  Buffer<T, 4> query{kAxes}, key{kAxes}, value{kAxes}, out_grad{kAxes};
  Buffer<T, 4> out{kAxes}, query_grad{kAxes}, key_grad{kAxes},
      value_grad{kAxes};
  Buffer<float, 3> logsumexp{{1, 2, 9}};
};

template <typename T>
void ExpectForwardRefused(Call<T>& call, const AttentionOutputs<T>& outputs) {
  EXPECT_THAT(InvalidArgument([&] { call.Forward(outputs); }),
              ::testing::StartsWith("AttentionForward: "));
}

TEST_P(EdgeCase, L9_OutputsThatOverlap) {
  ForChosenType([]<typename T>() {
    Call<T> call;
    for (Buffer<T, 4>* input : {&call.query, &call.key, &call.value}) {
      ExpectForwardRefused(call, {input->view(), call.logsumexp.view()});
      for (const T element : input->Values()) {
        EXPECT_EQ(static_cast<float>(element), 0.5f);
      }
    }
    // One element is enough.
    TensorView<T, 4> late = call.key.view();
    late.data += 2 * 9 * 8 - 1;
    ExpectForwardRefused(call, {late, call.logsumexp.view()});
    // Two outputs, and one with itself.
    TensorView<float, 3> rows = call.logsumexp.view();
    rows.data = reinterpret_cast<float*>(call.out.view().data);
    ExpectForwardRefused(call, {call.out.view(), rows});
    TensorView<T, 4> folded = call.out.view();
    folded.strides[2] = 0;
    ExpectForwardRefused(call, {folded, call.logsumexp.view()});
  });
}

TEST_P(EdgeCase, L9_GradientsThatOverlap) {
  ForChosenType([]<typename T>() {
    Call<T> call;
    EXPECT_NO_THROW(call.Backward(call.Gradients()));
    for (const TensorView<T, 4>& taken :
         {call.query.view(), call.out_grad.view(), call.out.view(),
          call.key_grad.view()}) {
      AttentionGradients<T> views = call.Gradients();
      views.query = taken;
      EXPECT_THAT(InvalidArgument([&] { call.Backward(views); }),
                  ::testing::StartsWith("AttentionBackward: "));
    }
  });
}

// Statistics are floats, whatever the inputs are.
TEST_P(EdgeCase, L9_StatisticsThatOverlap) {
  ForChosenType([]<typename T>() {
    Call<T> call;
    Buffer<float, 4> weights({1, 2, 9, 9});
    Buffer<float, 3> rows({1, 2, 9});
    const auto refuse = [&](const Inspection& inspection) {
      EXPECT_NE(
          InvalidArgument([&] {
            call.Forward({call.out.view(), call.logsumexp.view()}, &inspection);
          }),
          "");
      EXPECT_TRUE(IsNan(weights.Values()));
    };
    Inspection inspection;
    inspection.weights = weights.view();
    inspection.entropy = rows.view();
    inspection.key_mass = rows.view();
    refuse(inspection);
    inspection.key_mass = call.logsumexp.view();
    refuse(inspection);
    inspection.key_mass = {};
    inspection.offset_mass = Contiguous(call.logsumexp.view().data, {1, 2, 17});
    refuse(inspection);
    inspection.offset_mass = {};
    inspection.entropy.data = reinterpret_cast<float*>(call.key.view().data);
    refuse(inspection);
  });
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
    EXPECT_THAT(InvalidArgument(
                    [&] { RunForward(inputs, attention.options, outputs); }),
                ::testing::StartsWith("AttentionForward: "));
  }
  // A view without elements needs no data.
  AttentionInputs<float> none = attention.Inputs();
  none.query.shape[0] = none.key.shape[0] = none.value.shape[0] = 0;
  none.query.data = none.key.data = none.value.data = nullptr;
  EXPECT_NO_THROW(
      RunForward(none, {}, {Contiguous<float>(nullptr, {0, 2, 9, 8}), {}}));
}

// What may be null without being missed.
TEST_P(EdgeCase, L9_NullThatIsNotAskedFor) {
  const AttentionCase attention({1, 2, 2, 9, 9, 8, 7});
  ForwardResult wanted = Forward(attention);
  ForwardResult actual = wanted;
  RunForward(attention.Inputs(), {}, {actual.out.view(), {}});
  EXPECT_TRUE(SameBits(actual.out.Values(), wanted.out.Values()));

  const Gradients all = Backward(attention, wanted);
  for (int asked = 0; asked < 3; ++asked) {
    Buffer<float, 4> query({1, 2, 9, 8}), key({1, 2, 9, 8}),
        value({1, 2, 9, 7});
    AttentionGradients<float> views = {query.view(), key.view(), value.view()};
    if (asked != 0) views.query.data = nullptr;
    if (asked != 1) views.key.data = nullptr;
    if (asked != 2) views.value.data = nullptr;
    RunBackward(attention.Inputs(), {}, wanted.Outputs(),
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
  EXPECT_NO_THROW(RunInspect(without_value, {}, wanted.logsumexp.view(),
                             statistics.View()));
}

}  // namespace
}  // namespace keylens
