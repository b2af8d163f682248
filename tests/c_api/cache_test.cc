// Caches and decoding from C have the bits of those from C++.

#include <gtest/gtest.h>
#include <keylens/key_value_cache.h>

#include <cstdint>

#include "tests/c_api/call.h"

namespace keylens {
namespace {

template <typename T>
class CCache : public ::testing::Test {};
TYPED_TEST_SUITE(CCache, ElementTypes);

// Batch entry b, without the batch axis.
template <typename T>
TensorView<const T, 3> Entry(TensorView<const T, 4> view, int64_t b) {
  return {view.data + b * view.strides[0],
          {view.shape[1], view.shape[2], view.shape[3]},
          {view.strides[1], view.strides[2], view.strides[3]}};
}

Owned<keylens_key_value_cache> NewCache(keylens_element element) {
  const keylens_key_value_cache_options options = {.num_kv_heads = 2,
                                                   .head_dim = 12,
                                                   .value_dim = 7,
                                                   .element = element,
                                                   .page_len = 32};
  keylens_key_value_cache* cache = nullptr;
  EXPECT_TRUE(Ok(keylens_key_value_cache_create(&options, &cache)));
  return Owned<keylens_key_value_cache>(cache);
}

// What both caches of a test go through: a sequence of each batch entry, the
// first forked and the fork grown, the original forgotten.
template <typename T>
void Grow(Call<T>& call, KeyValueCache& cpp, keylens_key_value_cache* c,
          int64_t (&sequences)[2]) {
  for (int64_t b = 0; b < 2; ++b) {
    const auto key = Entry<T>(call.key.view(), b);
    const auto value = Entry<T>(call.value.view(), b);
    const keylens_tensor c_key = InC(key), c_value = InC(value);
    int64_t added = -1;
    ASSERT_TRUE(Ok(keylens_key_value_cache_add(c, &added)));
    ASSERT_EQ(added, cpp.Add());
    ASSERT_TRUE(Ok(keylens_key_value_cache_append(c, added, kElement<T>, &c_key,
                                                  &c_value)));
    cpp.Append<T>(added, key, value);
    sequences[b] = added;
  }
  int64_t fork = -1;
  ASSERT_TRUE(Ok(keylens_key_value_cache_fork(c, sequences[0], &fork)));
  ASSERT_EQ(fork, cpp.Fork(sequences[0]));
  const auto key = Entry<T>(call.key.view(), 1);
  const auto value = Entry<T>(call.value.view(), 1);
  const keylens_tensor c_key = InC(key), c_value = InC(value);
  ASSERT_TRUE(Ok(
      keylens_key_value_cache_append(c, fork, kElement<T>, &c_key, &c_value)));
  cpp.Append<T>(fork, key, value);
  int64_t length = -1, bytes = -1;
  ASSERT_TRUE(Ok(keylens_key_value_cache_length(c, fork, &length)));
  EXPECT_EQ(length, 600);
  ASSERT_TRUE(Ok(keylens_key_value_cache_memory(c, &bytes)));
  EXPECT_EQ(bytes, cpp.MemoryBytes());
  ASSERT_TRUE(Ok(keylens_key_value_cache_remove(c, sequences[0])));
  cpp.Remove(sequences[0]);
  int64_t left = -1;
  ASSERT_TRUE(Ok(keylens_key_value_cache_memory(c, &left)));
  EXPECT_EQ(left, cpp.MemoryBytes());
  EXPECT_LT(left, bytes);
  EXPECT_FALSE(keylens_key_value_cache_length(c, sequences[0], &length) ==
               KEYLENS_OK);
  sequences[0] = fork;
}

template <typename T>
void ExpectSameDecode(CacheElement element, keylens_element c_element) {
  Call<T> cpp, c;
  KeyValueCache cache({.num_kv_heads = 2,
                       .head_dim = 12,
                       .value_dim = 7,
                       .element = element,
                       .page_len = 32});
  const auto c_cache = NewCache(c_element);
  int64_t sequences[2] = {};
  ASSERT_NO_FATAL_FAILURE(Grow(cpp, cache, c_cache.get(), sequences));
  AttentionDecode<T>(cpp.query.view(), cache, sequences,
                     With(&AttentionOptions::scale, 0.5f), cpp.outputs());
  const auto options = NewOptions();
  ASSERT_TRUE(Ok(keylens_options_set_scale(options.get(), 0.5f)));
  const keylens_tensor query = InC(c.query.view());
  const auto outputs = c.c_outputs();
  ASSERT_TRUE(
      Ok(keylens_attention_decode(kElement<T>, &query, c_cache.get(), sequences,
                                  2, options.get(), &outputs)));
  Call<T>::ExpectSame(cpp, c);
  EXPECT_FALSE(SameBytes(c.out, Call<T>().out));
}

TYPED_TEST(CCache, DecodesWithTheSameBits) {
  ExpectSameDecode<TypeParam>(CacheElement::kFloat32, KEYLENS_FLOAT32);
  ExpectSameDecode<TypeParam>(CacheElement::kBFloat16, KEYLENS_BFLOAT16);
  ExpectSameDecode<TypeParam>(CacheElement::kFloat16, KEYLENS_FLOAT16);
  ExpectSameDecode<TypeParam>(CacheElement::kInt8, KEYLENS_INT8);
}

}  // namespace
}  // namespace keylens
