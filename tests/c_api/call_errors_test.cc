// What a wrong call from C gets: a status and a text, and no output touched.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <functional>
#include <new>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "tests/c_api/call.h"

namespace keylens {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

// A right call of every function; each test makes one thing of it wrong.
struct AllCalls {
  AllCalls() {
    const keylens_key_value_cache_options of_cache = {
        .num_kv_heads = 2,
        .head_dim = 12,
        .value_dim = 7,
        .element = KEYLENS_FLOAT32,
        .page_len = 64};
    keylens_key_value_cache* made = nullptr;
    EXPECT_TRUE(Ok(keylens_key_value_cache_create(&of_cache, &made)));
    cache.reset(made);
    for (int64_t& sequence : sequences)
      EXPECT_TRUE(Ok(keylens_key_value_cache_add(made, &sequence)));
  }

  keylens_status Forward() {
    return keylens_attention_forward(element, &inputs, options.get(), &outputs,
                                     &look);
  }
  keylens_status Backward() {
    return keylens_attention_backward(element, &inputs, options.get(), &outputs,
                                      &out_grad, &gradients);
  }
  keylens_status Inspect() {
    return keylens_attention_inspect(element, &inputs, options.get(),
                                     &outputs.logsumexp, &look);
  }
  keylens_status Merge() {
    return keylens_merge_attention(element, &part, 1, &outputs, 1);
  }
  keylens_status ForwardPacked() {
    return keylens_attention_forward_packed(element, &inputs, &offsets,
                                            options.get(), &outputs);
  }
  keylens_status BackwardPacked() {
    return keylens_attention_backward_packed(element, &inputs, &offsets,
                                             options.get(), &outputs, &out_grad,
                                             &gradients);
  }
  keylens_status Append() {
    return keylens_key_value_cache_append(cache.get(), sequences[0], element,
                                          &new_key, &new_value);
  }
  keylens_status Decode() {
    return keylens_attention_decode(element, &inputs.query, cache.get(),
                                    sequences, 2, options.get(), &outputs);
  }

  // Makes the batch 1, as packed sequences need it.
  void Pack() {
    for (keylens_tensor* tensor :
         {&inputs.query, &inputs.key, &inputs.value, &outputs.out,
          &outputs.logsumexp, &out_grad, &gradients.query, &gradients.key,
          &gradients.value}) {
      tensor->shape[0] = 1;
    }
    gradients.relevance = {};
  }

  Call<float> call, other{2};
  Owned<keylens_options> options = NewOptions();
  Owned<keylens_key_value_cache> cache;
  keylens_element element = KEYLENS_FLOAT32;
  keylens_attention_inputs inputs = call.c_inputs();
  keylens_attention_outputs outputs = call.c_outputs();
  keylens_attention_outputs part = other.c_outputs();
  keylens_inspection look = call.c_inspection();
  keylens_tensor out_grad = InC(call.out_grad.view());
  keylens_attention_gradients gradients = call.c_gradients();
  int64_t query_offsets[3] = {0, 20, 61}, key_offsets[3] = {0, 150, 300};
  keylens_sequence_offsets offsets = {query_offsets, key_offsets, 2};
  int64_t sequences[2] = {};
  keylens_tensor new_key =
      keylens_dense_3(other.key_grad.view().data, 2, 3, 12);
  keylens_tensor new_value =
      keylens_dense_3(other.value_grad.view().data, 2, 3, 7);
};

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

// --- Callbacks that do wrong ---

// A mask whose apply calls `context`, a std::function<void()>.
Owned<keylens_mask> MaskThatCalls(std::function<void()>* what) {
  keylens_mask_functions functions = {};
  functions.context = what;
  functions.apply = [](void* context, const keylens_score_tile*) {
    (*static_cast<std::function<void()>*>(context))();
  };
  keylens_mask* mask = nullptr;
  EXPECT_TRUE(Ok(keylens_custom_mask(&functions, &mask)));
  return Owned<keylens_mask>(mask);
}

TEST(CErrors, NoExceptionOfACallbackComesOut) {
  const std::string name = "keylens_attention_forward: ";
  const std::pair<std::function<void()>, std::pair<keylens_status, std::string>>
      cases[] = {
          {[] { throw std::bad_alloc(); },
           {KEYLENS_OUT_OF_MEMORY, name + "out of memory"}},
          {[] { throw std::length_error("vector"); },
           {KEYLENS_OUT_OF_MEMORY, name + "out of memory"}},
          {[] { throw std::runtime_error("broken"); },
           {KEYLENS_INTERNAL_ERROR, name + "broken"}},
          {[] { throw 7; },
           {KEYLENS_INTERNAL_ERROR, name + "an exception of unknown type"}},
          {[] { throw std::runtime_error(std::string(5000, 'x')); },
           {KEYLENS_INTERNAL_ERROR,
            name + std::string(1023 - name.size(), 'x')}},
      };
  for (const auto& [what, wanted] : cases) {
    for (const int32_t threads : {1, 2}) {
      AllCalls calls;
      std::function<void()> thrown = what;
      const auto mask = MaskThatCalls(&thrown);
      auto* options = calls.options.get();
      ASSERT_TRUE(Ok(keylens_options_set_mask(options, mask.get())));
      ASSERT_TRUE(Ok(keylens_options_set_num_threads(options, threads)));
      EXPECT_TRUE(FailsWith(wanted.first, calls.Forward(), wanted.second));
    }
  }
}

TEST(CErrors, AClassThatIsNone) {
  keylens_mask_functions functions = {};
  functions.classify = [](void*, const keylens_tile_coord*) {
    return keylens_tile_class{9};
  };
  functions.apply = [](void*, const keylens_score_tile*) {};
  keylens_mask* mask = nullptr;
  ASSERT_TRUE(Ok(keylens_custom_mask(&functions, &mask)));
  const Owned<keylens_mask> owned(mask);
  AllCalls calls;
  ASSERT_TRUE(Ok(keylens_options_set_mask(calls.options.get(), mask)));
  EXPECT_TRUE(Invalid(calls.Forward(),
                      "keylens_attention_forward: classify of a custom mask "
                      "returned 9, which is no keylens_tile_class"));
}

const char* SaysWhy(void* /*context*/, const keylens_score_shape* shape) {
  return shape->kv_len == Call<float>::kKeys ? "too many keys for this one"
                                             : nullptr;
}

TEST(CErrors, AMisfitSaysWhy) {
  keylens_mask_functions of_mask = {};
  of_mask.apply = [](void*, const keylens_score_tile*) {};
  of_mask.misfit = SaysWhy;
  keylens_mask* mask = nullptr;
  ASSERT_TRUE(Ok(keylens_custom_mask(&of_mask, &mask)));
  const Owned<keylens_mask> own_mask(mask);
  keylens_score_mod_functions of_mod = {};
  of_mod.forward = [](void*, const keylens_score_tile*) {};
  of_mod.misfit = SaysWhy;
  keylens_score_mod* mod = nullptr;
  ASSERT_TRUE(Ok(keylens_custom_score_mod(&of_mod, &mod)));
  const Owned<keylens_score_mod> own_mod(mod);
  const std::string wanted =
      "keylens_attention_forward: too many keys for this one; the scores are "
      "[2, 4, 61, 300]";

  AllCalls with_mask, with_mod;
  ASSERT_TRUE(Ok(keylens_options_set_mask(with_mask.options.get(), mask)));
  EXPECT_TRUE(Invalid(with_mask.Forward(), wanted));
  ASSERT_TRUE(Ok(keylens_options_add_score_mod(with_mod.options.get(), mod)));
  EXPECT_TRUE(Invalid(with_mod.Forward(), wanted));
  EXPECT_TRUE(Ok(with_mod.Decode()));  // with other lengths: nothing cached
}

TEST(CErrors, AModWithoutBackward) {
  keylens_score_mod_functions functions = {};
  functions.forward = [](void*, const keylens_score_tile*) {};
  keylens_score_mod* mod = nullptr;
  ASSERT_TRUE(Ok(keylens_custom_score_mod(&functions, &mod)));
  const Owned<keylens_score_mod> owned(mod);
  AllCalls calls;
  ASSERT_TRUE(Ok(keylens_options_add_score_mod(calls.options.get(), mod)));
  EXPECT_TRUE(Ok(calls.Forward()));
  EXPECT_TRUE(Invalid(calls.Backward(),
                      "keylens_attention_backward: a custom score mod has no "
                      "backward function"));
  EXPECT_TRUE(SameBytes(calls.call.query_grad, Call<float>().query_grad));
}

}  // namespace
}  // namespace keylens
