// What a wrong call from C gets: a status and a text, and no output touched.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <functional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "tests/c_api/all_calls.h"

namespace keylens {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

using Function = keylens_status (AllCalls::*)();

const std::pair<Function, std::string> kFunctions[] = {
    {&AllCalls::Forward, "keylens_attention_forward"},
    {&AllCalls::Backward, "keylens_attention_backward"},
    {&AllCalls::Inspect, "keylens_attention_inspect"},
    {&AllCalls::Merge, "keylens_merge_attention"},
    {&AllCalls::ForwardPacked, "keylens_attention_forward_packed"},
    {&AllCalls::BackwardPacked, "keylens_attention_backward_packed"},
    {&AllCalls::Append, "keylens_key_value_cache_append"},
    {&AllCalls::Decode, "keylens_attention_decode"},
};

bool IsPacked(const std::string& name) {
  return name.find("packed") != std::string::npos;
}

// The tests below start from calls that are right.
TEST(CErrors, TheCallsAreRightAtFirst) {
  for (const auto& [function, name] : kFunctions) {
    AllCalls calls;
    if (IsPacked(name)) calls.Pack();
    EXPECT_TRUE(Ok((calls.*function)())) << name;
  }
}

TEST(CErrors, ElementsThatAreNone) {
  for (const auto& [function, name] : kFunctions) {
    for (const keylens_element element : {KEYLENS_INT8 + 0, -1, 77}) {
      AllCalls calls;
      calls.element = element;
      EXPECT_TRUE(Invalid((calls.*function)(),
                          name + ": element " + std::to_string(element) +
                              " is not KEYLENS_FLOAT32, KEYLENS_BFLOAT16 or "
                              "KEYLENS_FLOAT16"));
    }
  }
}

// A tensor of a call, what it is called, and the rank it must have.
struct Place {
  Function function;
  std::string function_name;
  std::function<keylens_tensor&(AllCalls&)> tensor;
  std::string name;
  int rank;
};

std::vector<Place> Places() {
  std::vector<Place> places;
  const auto add = [&](std::size_t function, auto member, std::string name,
                       int rank) {
    const auto& [call, function_name] = kFunctions[function];
    places.push_back({call, function_name, member, std::move(name), rank});
  };
  const auto query = [](AllCalls & c) -> auto& { return c.inputs.query; };
  const auto key = [](AllCalls & c) -> auto& { return c.inputs.key; };
  const auto value = [](AllCalls & c) -> auto& { return c.inputs.value; };
  const auto out = [](AllCalls & c) -> auto& { return c.outputs.out; };
  const auto sums = [](AllCalls & c) -> auto& { return c.outputs.logsumexp; };
  for (const std::size_t function : {0, 1, 2, 4, 5}) {
    add(function, query, "query", 4);
    add(function, key, "key", 4);
    add(function, value, "value", 4);
  }
  for (const std::size_t function : {0, 1, 3, 4, 5, 7}) {
    add(function, out, "out", 4);
    add(function, sums, "logsumexp", 3);
  }
  add(2, sums, "logsumexp", 3);
  add(7, query, "query", 4);
  for (const std::size_t function : {1, 5}) {
    add(
        function, [](AllCalls & c) -> auto& { return c.out_grad; }, "out_grad",
        4);
    const auto gradient = [&](auto member, const char* name, int rank) {
      add(
          function,
          [member](AllCalls & c) -> auto& { return c.gradients.*member; }, name,
          rank);
    };
    using Gradients = keylens_attention_gradients;
    gradient(&Gradients::query, "the gradient of query", 4);
    gradient(&Gradients::key, "the gradient of key", 4);
    gradient(&Gradients::value, "the gradient of value", 4);
    gradient(&Gradients::sinks, "the gradient of sinks", 1);
    gradient(&Gradients::relevance, "relevance", 4);
  }
  for (const std::size_t function : {0, 2}) {
    const auto statistic = [&](auto member, const char* name, int rank) {
      add(
          function, [member](AllCalls & c) -> auto& { return c.look.*member; },
          name, rank);
    };
    statistic(&keylens_inspection::weights, "weights", 4);
    statistic(&keylens_inspection::entropy, "entropy", 3);
    statistic(&keylens_inspection::key_mass, "key_mass", 3);
    statistic(&keylens_inspection::top_keys, "top_keys", 4);
    statistic(&keylens_inspection::top_weights, "top_weights", 4);
    statistic(&keylens_inspection::pooled, "pooled", 4);
    statistic(&keylens_inspection::offset_mass, "offset_mass", 3);
  }
  add(
      3, [](AllCalls & c) -> auto& { return c.part.out; }, "out of a part", 4);
  add(
      3, [](AllCalls & c) -> auto& { return c.part.logsumexp; },
      "logsumexp of a part", 3);
  add(
      6, [](AllCalls & c) -> auto& { return c.new_key; }, "key", 3);
  add(
      6, [](AllCalls & c) -> auto& { return c.new_value; }, "value", 3);
  return places;
}

TEST(CErrors, RanksThatDoNotFit) {
  for (const Place& place : Places()) {
    for (const int rank : {place.rank - 1, 5, -1}) {
      AllCalls calls;
      place.tensor(calls).rank = rank;
      float something = 0;  // the tensor may be none else
      if (place.tensor(calls).data == nullptr)
        place.tensor(calls).data = &something;
      EXPECT_TRUE(Invalid((calls.*place.function)(),
                          place.function_name + ": " + place.name +
                              " has rank " + std::to_string(rank) +
                              ", expected " + std::to_string(place.rank)));
    }
  }
}

// What the engine refuses comes with the name of the C function.
TEST(CErrors, TheEnginesOwnKeepTheirText) {
  for (const auto& [function, name] : kFunctions) {
    AllCalls calls;
    calls.inputs.key.shape[3] = 5;    // head_dim
    calls.inputs.query.shape[3] = 9;  // of decoding
    calls.part.out.shape[3] = 5;
    calls.new_key.shape[2] = 5;
    EXPECT_EQ((calls.*function)(), KEYLENS_INVALID_ARGUMENT);
    EXPECT_THAT(keylens_last_error(), StartsWith(name + ": "));
    EXPECT_THAT(keylens_last_error(), HasSubstr("["));
    EXPECT_THAT(keylens_last_error(), Not(HasSubstr("Attention")));
    EXPECT_THAT(keylens_last_error(), Not(HasSubstr("Append:")));
    EXPECT_TRUE(calls.call.out.PaddingIsUntouched());
    EXPECT_TRUE(SameBytes(calls.call.out, Call<float>().out));
  }
  AllCalls calls;
  calls.inputs.key.shape[3] = 5;
  EXPECT_TRUE(Invalid(calls.Forward(),
                      "keylens_attention_forward: query and key disagree on "
                      "head_dim: query [2, 4, 61, 12], key [2, 2, 300, 5], "
                      "value [2, 2, 300, 7]"));
}

TEST(CErrors, OptionsAreCheckedByTheCall) {
  AllCalls calls;
  ASSERT_TRUE(Ok(keylens_options_set_scale(calls.options.get(), NAN)));
  EXPECT_TRUE(
      Invalid(calls.Forward(), "keylens_attention_forward: scale is NaN"));
  ASSERT_TRUE(Ok(keylens_options_set_default_scale(calls.options.get())));
  ASSERT_TRUE(Ok(keylens_options_set_num_threads(calls.options.get(), -2)));
  EXPECT_TRUE(Invalid(calls.Backward(),
                      "keylens_attention_backward: num_threads is -2"));
}

TEST(CErrors, NullStructs) {
  AllCalls c;
  const auto* options = c.options.get();
  EXPECT_TRUE(Invalid(keylens_attention_forward(KEYLENS_FLOAT32, nullptr,
                                                options, &c.outputs, nullptr),
                      "keylens_attention_forward: inputs is null"));
  EXPECT_TRUE(Invalid(keylens_attention_forward(KEYLENS_FLOAT32, &c.inputs,
                                                options, nullptr, nullptr),
                      "keylens_attention_forward: outputs is null"));
  const auto backward = [&](auto* inputs, auto* forward, auto* out_grad,
                            auto* gradients) {
    return keylens_attention_backward(KEYLENS_FLOAT32, inputs, options, forward,
                                      out_grad, gradients);
  };
  const keylens_attention_inputs* no_inputs = nullptr;
  const keylens_attention_outputs* no_outputs = nullptr;
  const keylens_attention_gradients* no_gradients = nullptr;
  const keylens_tensor* no_tensor = nullptr;
  const std::string name = "keylens_attention_backward: ";
  EXPECT_TRUE(
      Invalid(backward(no_inputs, &c.outputs, &c.out_grad, &c.gradients),
              name + "inputs is null"));
  EXPECT_TRUE(
      Invalid(backward(&c.inputs, no_outputs, &c.out_grad, &c.gradients),
              name + "forward is null"));
  EXPECT_TRUE(Invalid(backward(&c.inputs, &c.outputs, no_tensor, &c.gradients),
                      name + "out_grad is null"));
  EXPECT_TRUE(
      Invalid(backward(&c.inputs, &c.outputs, &c.out_grad, no_gradients),
              name + "gradients is null"));
  const auto inspect = [&](auto* inputs, auto* logsumexp, auto* look) {
    return keylens_attention_inspect(KEYLENS_FLOAT32, inputs, options,
                                     logsumexp, look);
  };
  const keylens_inspection* no_look = nullptr;
  EXPECT_TRUE(Invalid(inspect(no_inputs, &c.outputs.logsumexp, &c.look),
                      "keylens_attention_inspect: inputs is null"));
  EXPECT_TRUE(Invalid(inspect(&c.inputs, no_tensor, &c.look),
                      "keylens_attention_inspect: logsumexp is null"));
  EXPECT_TRUE(Invalid(inspect(&c.inputs, &c.outputs.logsumexp, no_look),
                      "keylens_attention_inspect: inspection is null"));
}

TEST(CErrors, NullStructsOfMergeAndPacked) {
  AllCalls c;
  c.Pack();
  EXPECT_TRUE(Invalid(
      keylens_merge_attention(KEYLENS_FLOAT32, nullptr, 1, &c.outputs, 1),
      "keylens_merge_attention: parts is null"));
  EXPECT_TRUE(Invalid(
      keylens_merge_attention(KEYLENS_FLOAT32, &c.part, -1, &c.outputs, 1),
      "keylens_merge_attention: the size of parts is -1"));
  EXPECT_TRUE(Invalid(
      keylens_merge_attention(KEYLENS_FLOAT32, nullptr, 0, &c.outputs, 1),
      "keylens_merge_attention: there are no parts"));
  EXPECT_TRUE(
      Invalid(keylens_merge_attention(KEYLENS_FLOAT32, &c.part, 1, nullptr, 1),
              "keylens_merge_attention: merged is null"));
  const auto packed = [&](const auto* inputs, const auto* offsets,
                          const auto* outputs) {
    return keylens_attention_forward_packed(KEYLENS_FLOAT32, inputs, offsets,
                                            nullptr, outputs);
  };
  const keylens_attention_inputs* no_inputs = nullptr;
  const keylens_attention_outputs* no_outputs = nullptr;
  const keylens_sequence_offsets* no_offsets = nullptr;
  const std::string forward = "keylens_attention_forward_packed: ";
  EXPECT_TRUE(Invalid(packed(no_inputs, &c.offsets, &c.outputs),
                      forward + "inputs is null"));
  EXPECT_TRUE(Invalid(packed(&c.inputs, no_offsets, &c.outputs),
                      forward + "offsets is null"));
  EXPECT_TRUE(Invalid(packed(&c.inputs, &c.offsets, no_outputs),
                      forward + "outputs is null"));
  c.offsets.num_sequences = -1;
  EXPECT_TRUE(Invalid(c.ForwardPacked(), forward + "num_sequences is -1"));
  c.offsets = {nullptr, c.key_offsets, 2};
  EXPECT_TRUE(Invalid(c.ForwardPacked(), forward + "query of offsets is null"));
  c.offsets = {c.query_offsets, nullptr, 2};
  EXPECT_TRUE(Invalid(c.ForwardPacked(), forward + "key of offsets is null"));
}

TEST(CErrors, NullStructsOfPackedBackward) {
  AllCalls c;
  c.Pack();
  const std::string name = "keylens_attention_backward_packed: ";
  const auto call = [&](const auto* offsets, const auto* forward,
                        const auto* out_grad, const auto* gradients) {
    return keylens_attention_backward_packed(KEYLENS_FLOAT32, &c.inputs,
                                             offsets, nullptr, forward,
                                             out_grad, gradients);
  };
  const keylens_sequence_offsets* no_offsets = nullptr;
  const keylens_attention_outputs* no_outputs = nullptr;
  const keylens_tensor* no_tensor = nullptr;
  const keylens_attention_gradients* no_gradients = nullptr;
  EXPECT_TRUE(Invalid(call(no_offsets, &c.outputs, &c.out_grad, &c.gradients),
                      name + "offsets is null"));
  EXPECT_TRUE(Invalid(call(&c.offsets, no_outputs, &c.out_grad, &c.gradients),
                      name + "forward is null"));
  EXPECT_TRUE(Invalid(call(&c.offsets, &c.outputs, no_tensor, &c.gradients),
                      name + "out_grad is null"));
  EXPECT_TRUE(Invalid(call(&c.offsets, &c.outputs, &c.out_grad, no_gradients),
                      name + "gradients is null"));
}

TEST(CErrors, GroupsWithoutAnArray) {
  AllCalls c;
  c.look.query_group = nullptr;
  EXPECT_TRUE(
      Invalid(c.Forward(), "keylens_attention_forward: query_group is null"));
  c.look = c.call.c_inspection();
  c.look.key_group_size = -3;
  EXPECT_TRUE(Invalid(
      c.Forward(), "keylens_attention_forward: the size of key_group is -3"));
  c.gradients.key_group = nullptr;
  EXPECT_TRUE(
      Invalid(c.Backward(), "keylens_attention_backward: key_group is null"));
  c.gradients = c.call.c_gradients();
  c.gradients.query_group_size = 60;
  EXPECT_TRUE(Invalid(
      c.Backward(),
      "keylens_attention_backward: query_group has 60 ids, expected 61"));
}

// --- The text, and whose it is ---

TEST(CErrors, TextBelongsToTheThread) {
  keylens_options_set_scale(nullptr, 1.0f);
  const std::string here = keylens_last_error();
  EXPECT_EQ(here, "keylens_options_set_scale: options is null");
  std::string before, after;
  std::thread([&] {
    before = keylens_last_error();
    keylens_options_clear_score_mods(nullptr);
    after = keylens_last_error();
  }).join();
  EXPECT_EQ(before, "");
  EXPECT_EQ(after, "keylens_options_clear_score_mods: options is null");
  EXPECT_EQ(keylens_last_error(), here);
}

TEST(CErrors, SuccessLeavesTheTextAlone) {
  keylens_options_set_scale(nullptr, 1.0f);
  NewOptions();
  EXPECT_STREQ(keylens_last_error(),
               "keylens_options_set_scale: options is null");
}

}  // namespace
}  // namespace keylens
