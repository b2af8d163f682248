// What wrong calls get that make or change a handle; where one is made, it is
// null then.

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <string>

#include "tests/c_api/call.h"

namespace keylens {
namespace {

// Whether making a mask fails with that text, and leaves no mask.
template <typename Make>
::testing::AssertionResult NoMask(Make make, const std::string& text) {
  int anything = 0;
  auto* mask = reinterpret_cast<keylens_mask*>(&anything);
  const auto failed = Invalid(make(&mask), text);
  if (failed && mask != nullptr)
    return ::testing::AssertionFailure() << "the mask is not null";
  return failed;
}

template <typename Make>
::testing::AssertionResult NoMod(Make make, const std::string& text) {
  int anything = 0;
  auto* mod = reinterpret_cast<keylens_score_mod*>(&anything);
  const auto failed = Invalid(make(&mod), text);
  if (failed && mod != nullptr)
    return ::testing::AssertionFailure() << "the mod is not null";
  return failed;
}

TEST(CHandleErrors, NowhereToPutAMask) {
  const int64_t live[] = {1};
  const int32_t document[] = {1};
  const bool flag = true;
  const keylens_tensor tensor = keylens_dense_4(&flag, 1, 1, 1, 1);
  keylens_mask_functions functions = {};
  functions.apply = [](void*, const keylens_score_tile*) {};
  EXPECT_TRUE(Invalid(keylens_causal_mask(KEYLENS_TOP_LEFT, nullptr),
                      "keylens_causal_mask: mask is null"));
  EXPECT_TRUE(
      Invalid(keylens_sliding_window_mask(1, 1, KEYLENS_TOP_LEFT, nullptr),
              "keylens_sliding_window_mask: mask is null"));
  EXPECT_TRUE(Invalid(keylens_prefix_mask(1, nullptr),
                      "keylens_prefix_mask: mask is null"));
  EXPECT_TRUE(Invalid(keylens_document_mask(document, 1, document, 1, nullptr),
                      "keylens_document_mask: mask is null"));
  EXPECT_TRUE(Invalid(keylens_key_padding_mask(live, 1, nullptr),
                      "keylens_key_padding_mask: mask is null"));
  EXPECT_TRUE(Invalid(keylens_dense_mask(&tensor, nullptr),
                      "keylens_dense_mask: mask is null"));
  EXPECT_TRUE(Invalid(keylens_all_of(nullptr, 0, nullptr),
                      "keylens_all_of: mask is null"));
  EXPECT_TRUE(Invalid(keylens_custom_mask(&functions, nullptr),
                      "keylens_custom_mask: mask is null"));
}

TEST(CHandleErrors, Alignments) {
  EXPECT_TRUE(NoMask([](auto** m) { return keylens_causal_mask(2, m); },
                     "keylens_causal_mask: alignment 2 is not KEYLENS_TOP_LEFT "
                     "or KEYLENS_BOTTOM_RIGHT"));
  EXPECT_TRUE(NoMask(
      [](auto** m) { return keylens_sliding_window_mask(1, 1, -1, m); },
      "keylens_sliding_window_mask: alignment -1 is not KEYLENS_TOP_LEFT or "
      "KEYLENS_BOTTOM_RIGHT"));
}

TEST(CHandleErrors, ArraysOfMasks) {
  const int32_t id = 1;
  EXPECT_TRUE(NoMask(
      [&](auto** m) { return keylens_document_mask(nullptr, 1, &id, 1, m); },
      "keylens_document_mask: query_document is null"));
  EXPECT_TRUE(NoMask(
      [&](auto** m) { return keylens_document_mask(&id, 1, &id, -1, m); },
      "keylens_document_mask: the size of key_document is -1"));
  EXPECT_TRUE(
      NoMask([&](auto** m) { return keylens_key_padding_mask(nullptr, 1, m); },
             "keylens_key_padding_mask: live_keys is null"));
  EXPECT_TRUE(NoMask([](auto** m) { return keylens_all_of(nullptr, 2, m); },
                     "keylens_all_of: masks is null"));
  const keylens_mask* none[] = {nullptr};
  EXPECT_TRUE(NoMask([&](auto** m) { return keylens_all_of(none, 1, m); },
                     "keylens_all_of: a mask is null"));
}

TEST(CHandleErrors, DenseMasks) {
  EXPECT_TRUE(NoMask([](auto** m) { return keylens_dense_mask(nullptr, m); },
                     "keylens_dense_mask: live is null"));
  const bool flag = true;
  const keylens_tensor two = keylens_dense_2(&flag, 1, 1);
  EXPECT_TRUE(NoMask([&](auto** m) { return keylens_dense_mask(&two, m); },
                     "keylens_dense_mask: live has rank 2, expected 4"));
  const keylens_tensor empty = keylens_dense_4(nullptr, 1, 1, 1, 1);
  EXPECT_TRUE(NoMask([&](auto** m) { return keylens_dense_mask(&empty, m); },
                     "keylens_dense_mask: data is null"));
}

// What a factory of the engine refuses comes under the name of the C function.
TEST(CHandleErrors, TheFactoriesOwn) {
  keylens_mask* mask = nullptr;
  keylens_score_mod* mod = nullptr;
  const int64_t live = -1;
  const float slope = NAN;
  const auto refused = [](keylens_status status, const std::string& name) {
    const std::string text = keylens_last_error();
    return status == KEYLENS_INVALID_ARGUMENT &&
           text.compare(0, name.size() + 2, name + ": ") == 0 &&
           text.find("Mask:") == std::string::npos &&
           text.find("Bias:") == std::string::npos &&
           text.find("Cap:") == std::string::npos &&
           text.size() > name.size() + 5;
  };
  EXPECT_TRUE(
      refused(keylens_sliding_window_mask(-2, 0, KEYLENS_TOP_LEFT, &mask),
              "keylens_sliding_window_mask"))
      << keylens_last_error();
  EXPECT_TRUE(refused(keylens_prefix_mask(-1, &mask), "keylens_prefix_mask"))
      << keylens_last_error();
  EXPECT_TRUE(refused(keylens_key_padding_mask(&live, 1, &mask),
                      "keylens_key_padding_mask"))
      << keylens_last_error();
  EXPECT_TRUE(refused(keylens_alibi_bias(&slope, 1, nullptr, &mod),
                      "keylens_alibi_bias"))
      << keylens_last_error();
  EXPECT_TRUE(refused(keylens_soft_cap(0.0f, &mod), "keylens_soft_cap"))
      << keylens_last_error();
  const float table[2] = {};
  const keylens_tensor narrow = keylens_dense_2(table, 2, 1);
  EXPECT_TRUE(
      refused(keylens_relative_position_bias(&narrow, nullptr, 0, 10, &mod),
              "keylens_relative_position_bias"))
      << keylens_last_error();
}

TEST(CHandleErrors, CustomMasks) {
  EXPECT_TRUE(NoMask([](auto** m) { return keylens_custom_mask(nullptr, m); },
                     "keylens_custom_mask: functions is null"));
  int destroyed = 0;
  keylens_mask_functions functions = {};
  functions.context = &destroyed;
  functions.destroy = [](void* context) { ++*static_cast<int*>(context); };
  EXPECT_TRUE(
      NoMask([&](auto** m) { return keylens_custom_mask(&functions, m); },
             "keylens_custom_mask: functions->apply is null"));
  EXPECT_EQ(destroyed, 0);  // the context is still the caller's
}

TEST(CHandleErrors, ScoreMods) {
  EXPECT_TRUE(
      NoMod([](auto** m) { return keylens_additive_bias(nullptr, nullptr, m); },
            "keylens_additive_bias: bias is null"));
  float bias[4] = {}, gradient[4] = {};
  const keylens_tensor three = keylens_dense_3(bias, 1, 2, 2);
  const keylens_tensor four = keylens_dense_4(bias, 1, 1, 2, 2);
  EXPECT_TRUE(
      NoMod([&](auto** m) { return keylens_additive_bias(&three, nullptr, m); },
            "keylens_additive_bias: bias has rank 3, expected 4"));
  EXPECT_TRUE(
      NoMod([&](auto** m) { return keylens_additive_bias(&four, &three, m); },
            "keylens_additive_bias: gradient has rank 3, expected 4"));
  const keylens_tensor other = keylens_dense_4(gradient, 1, 2, 1, 2);
  EXPECT_TRUE(NoMod(
      [&](auto** m) { return keylens_additive_bias(&four, &other, m); },
      "keylens_additive_bias: the gradient by bias has length 2 on axis 1, "
      "expected 1"));
  EXPECT_TRUE(
      NoMod([](auto** m) { return keylens_alibi_bias(nullptr, 2, nullptr, m); },
            "keylens_alibi_bias: slopes is null"));
  EXPECT_TRUE(Invalid(keylens_alibi_slopes(2, nullptr),
                      "keylens_alibi_slopes: slopes is null"));
  EXPECT_TRUE(Invalid(keylens_alibi_slopes(-1, gradient),
                      "keylens_alibi_slopes: the size of slopes is -1"));
  EXPECT_TRUE(NoMod(
      [](auto** m) {
        return keylens_relative_position_bias(nullptr, nullptr, 1, 9, m);
      },
      "keylens_relative_position_bias: table is null"));
  EXPECT_TRUE(NoMod(
      [&](auto** m) {
        return keylens_relative_position_bias(&four, nullptr, 1, 9, m);
      },
      "keylens_relative_position_bias: table has rank 4, expected 2"));
}

TEST(CHandleErrors, NowhereToPutAScoreMod) {
  const float number = 1.0f;
  const keylens_tensor four = keylens_dense_4(&number, 1, 1, 1, 1);
  const keylens_tensor two = keylens_dense_2(&number, 1, 1);
  keylens_score_mod_functions functions = {};
  functions.forward = [](void*, const keylens_score_tile*) {};
  EXPECT_TRUE(Invalid(keylens_additive_bias(&four, nullptr, nullptr),
                      "keylens_additive_bias: mod is null"));
  EXPECT_TRUE(Invalid(keylens_alibi_bias(&number, 1, nullptr, nullptr),
                      "keylens_alibi_bias: mod is null"));
  EXPECT_TRUE(Invalid(keylens_soft_cap(1.0f, nullptr),
                      "keylens_soft_cap: mod is null"));
  EXPECT_TRUE(
      Invalid(keylens_relative_position_bias(&two, nullptr, 1, 9, nullptr),
              "keylens_relative_position_bias: mod is null"));
  EXPECT_TRUE(Invalid(keylens_custom_score_mod(&functions, nullptr),
                      "keylens_custom_score_mod: mod is null"));
}

TEST(CHandleErrors, CustomScoreMods) {
  EXPECT_TRUE(
      NoMod([](auto** m) { return keylens_custom_score_mod(nullptr, m); },
            "keylens_custom_score_mod: functions is null"));
  keylens_score_mod_functions functions = {};
  EXPECT_TRUE(
      NoMod([&](auto** m) { return keylens_custom_score_mod(&functions, m); },
            "keylens_custom_score_mod: functions->forward is null"));
  functions.forward = [](void*, const keylens_score_tile*) {};
  functions.backward_order = 4;
  EXPECT_TRUE(
      NoMod([&](auto** m) { return keylens_custom_score_mod(&functions, m); },
            "keylens_custom_score_mod: functions->backward_order is 4, which "
            "is no keylens_backward_order"));
}

TEST(CHandleErrors, Options) {
  EXPECT_TRUE(Invalid(keylens_options_create(nullptr),
                      "keylens_options_create: options is null"));
  EXPECT_TRUE(Invalid(keylens_options_set_scale(nullptr, 1),
                      "keylens_options_set_scale: options is null"));
  EXPECT_TRUE(Invalid(keylens_options_set_default_scale(nullptr),
                      "keylens_options_set_default_scale: options is null"));
  EXPECT_TRUE(Invalid(keylens_options_set_mask(nullptr, nullptr),
                      "keylens_options_set_mask: options is null"));
  EXPECT_TRUE(Invalid(keylens_options_add_score_mod(nullptr, nullptr),
                      "keylens_options_add_score_mod: options is null"));
  EXPECT_TRUE(Invalid(keylens_options_clear_score_mods(nullptr),
                      "keylens_options_clear_score_mods: options is null"));
  EXPECT_TRUE(Invalid(keylens_options_set_sinks(nullptr, nullptr, 0),
                      "keylens_options_set_sinks: options is null"));
  EXPECT_TRUE(Invalid(keylens_options_set_dropout(nullptr, 0.5f, 1),
                      "keylens_options_set_dropout: options is null"));
  EXPECT_TRUE(Invalid(keylens_options_set_num_threads(nullptr, 1),
                      "keylens_options_set_num_threads: options is null"));
  const auto options = NewOptions();
  EXPECT_TRUE(Invalid(keylens_options_add_score_mod(options.get(), nullptr),
                      "keylens_options_add_score_mod: mod is null"));
  EXPECT_TRUE(Invalid(keylens_options_set_sinks(options.get(), nullptr, 2),
                      "keylens_options_set_sinks: sinks is null"));
  EXPECT_TRUE(Invalid(keylens_options_set_sinks(options.get(), nullptr, -2),
                      "keylens_options_set_sinks: the size of sinks is -2"));
}

TEST(CHandleErrors, DropoutKeeps) {
  int32_t keeps = 5;
  EXPECT_TRUE(Invalid(keylens_dropout_keeps(0.5f, 1, 0, 0, 0, 0, nullptr),
                      "keylens_dropout_keeps: keeps is null"));
  EXPECT_TRUE(Invalid(keylens_dropout_keeps(1.0f, 1, 0, 0, 0, 0, &keeps),
                      "keylens_dropout_keeps: the dropout probability 1.000000 "
                      "is not in [0, 1)"));
  EXPECT_EQ(keeps, 5);
}

class CCacheErrors : public ::testing::Test {
 protected:
  CCacheErrors() {
    keylens_key_value_cache* made = nullptr;
    EXPECT_TRUE(Ok(keylens_key_value_cache_create(&options_, &made)));
    owned_.reset(made);
    EXPECT_TRUE(Ok(keylens_key_value_cache_add(made, &sequence_)));
  }

  keylens_key_value_cache_options options_ = {.num_kv_heads = 1,
                                              .head_dim = 2,
                                              .value_dim = 2,
                                              .element = KEYLENS_FLOAT32,
                                              .page_len = 64};
  Owned<keylens_key_value_cache> owned_;
  int64_t sequence_ = 0;
  float data_[2] = {1, 2};
  keylens_tensor row_ = keylens_dense_3(data_, 1, 1, 2);
};

TEST_F(CCacheErrors, Create) {
  const std::string name = "keylens_key_value_cache_create: ";
  auto* cache = reinterpret_cast<keylens_key_value_cache*>(data_);
  EXPECT_TRUE(Invalid(keylens_key_value_cache_create(&options_, nullptr),
                      name + "cache is null"));
  EXPECT_TRUE(Invalid(keylens_key_value_cache_create(nullptr, &cache),
                      name + "options is null"));
  EXPECT_EQ(cache, nullptr);
  options_.element = 4;
  EXPECT_TRUE(Invalid(keylens_key_value_cache_create(&options_, &cache),
                      name + "element 4 is no keylens_element"));
  options_.element = KEYLENS_INT8;
  options_.page_len = 48;
  EXPECT_TRUE(Invalid(keylens_key_value_cache_create(&options_, &cache),
                      name + "page_len 48 is no power of two from 1 to 256"));
}

TEST_F(CCacheErrors, NullPointers) {
  const auto* cache = owned_.get();
  int64_t number = -7;
  EXPECT_TRUE(Invalid(keylens_key_value_cache_add(nullptr, &number),
                      "keylens_key_value_cache_add: cache is null"));
  EXPECT_TRUE(Invalid(keylens_key_value_cache_add(owned_.get(), nullptr),
                      "keylens_key_value_cache_add: sequence is null"));
  EXPECT_TRUE(Invalid(keylens_key_value_cache_fork(nullptr, 0, &number),
                      "keylens_key_value_cache_fork: cache is null"));
  EXPECT_TRUE(Invalid(keylens_key_value_cache_fork(owned_.get(), 0, nullptr),
                      "keylens_key_value_cache_fork: fork is null"));
  EXPECT_TRUE(Invalid(keylens_key_value_cache_remove(nullptr, 0),
                      "keylens_key_value_cache_remove: cache is null"));
  EXPECT_TRUE(Invalid(keylens_key_value_cache_length(nullptr, 0, &number),
                      "keylens_key_value_cache_length: cache is null"));
  EXPECT_TRUE(Invalid(keylens_key_value_cache_length(cache, 0, nullptr),
                      "keylens_key_value_cache_length: length is null"));
  EXPECT_TRUE(Invalid(keylens_key_value_cache_memory(nullptr, &number),
                      "keylens_key_value_cache_memory: cache is null"));
  EXPECT_TRUE(Invalid(keylens_key_value_cache_memory(cache, nullptr),
                      "keylens_key_value_cache_memory: bytes is null"));
  EXPECT_EQ(number, -7);
  const auto append = [&](auto* to, auto* key, auto* value) {
    return keylens_key_value_cache_append(to, sequence_, KEYLENS_FLOAT32, key,
                                          value);
  };
  keylens_key_value_cache* no_cache = nullptr;
  const keylens_tensor* none = nullptr;
  const std::string name = "keylens_key_value_cache_append: ";
  EXPECT_TRUE(Invalid(append(no_cache, &row_, &row_), name + "cache is null"));
  EXPECT_TRUE(Invalid(append(owned_.get(), none, &row_), name + "key is null"));
  EXPECT_TRUE(
      Invalid(append(owned_.get(), &row_, none), name + "value is null"));
}

TEST_F(CCacheErrors, SequencesThatAreNone) {
  int64_t number = -7;
  auto* cache = owned_.get();
  EXPECT_TRUE(Invalid(keylens_key_value_cache_fork(cache, 99, &number),
                      "keylens_key_value_cache_fork: no sequence 99"));
  EXPECT_TRUE(Invalid(keylens_key_value_cache_remove(cache, 99),
                      "keylens_key_value_cache_remove: no sequence 99"));
  EXPECT_TRUE(Invalid(keylens_key_value_cache_length(cache, 99, &number),
                      "keylens_key_value_cache_length: no sequence 99"));
  EXPECT_TRUE(Invalid(
      keylens_key_value_cache_append(cache, 99, KEYLENS_FLOAT32, &row_, &row_),
      "keylens_key_value_cache_append: no sequence 99"));
  EXPECT_EQ(number, -7);
}

TEST_F(CCacheErrors, Decode) {
  float out[2] = {5, 5};
  const keylens_tensor query = keylens_dense_4(data_, 1, 1, 1, 2);
  keylens_attention_outputs outputs = {};
  outputs.out = keylens_dense_4(out, 1, 1, 1, 2);
  const std::string name = "keylens_attention_decode: ";
  const auto decode = [&](const keylens_tensor* q, auto* cache,
                          const int64_t* sequences, int64_t count, auto* to) {
    return keylens_attention_decode(KEYLENS_FLOAT32, q, cache, sequences, count,
                                    nullptr, to);
  };
  const keylens_attention_outputs* no_outputs = nullptr;
  const keylens_key_value_cache* no_cache = nullptr;
  auto* cache = owned_.get();
  EXPECT_TRUE(Invalid(decode(nullptr, cache, &sequence_, 1, &outputs),
                      name + "query is null"));
  EXPECT_TRUE(Invalid(decode(&query, no_cache, &sequence_, 1, &outputs),
                      name + "cache is null"));
  EXPECT_TRUE(Invalid(decode(&query, cache, nullptr, 1, &outputs),
                      name + "sequences is null"));
  EXPECT_TRUE(Invalid(decode(&query, cache, &sequence_, -1, &outputs),
                      name + "the size of sequences is -1"));
  EXPECT_TRUE(Invalid(decode(&query, cache, &sequence_, 1, no_outputs),
                      name + "outputs is null"));
  EXPECT_TRUE(Invalid(decode(&query, cache, &sequence_, 0, &outputs),
                      name + "0 sequences for query [1, 1, 1, 2] and a cache "
                             "of 1 heads of 2"));
  const int64_t unknown = 99;
  EXPECT_TRUE(Invalid(decode(&query, cache, &unknown, 1, &outputs),
                      name + "no sequence 99"));
  EXPECT_EQ(out[0], 5);
}

}  // namespace
}  // namespace keylens
