#include <keylens/key_value_cache.h>

#include <string>

#include "src/c_api/call_structs.h"
#include "src/c_api/handles.h"

namespace keylens::c_api {
namespace {

CacheElement ToCacheElement(keylens_element element) {
  switch (element) {
    case KEYLENS_FLOAT32:
      return CacheElement::kFloat32;
    case KEYLENS_BFLOAT16:
      return CacheElement::kBFloat16;
    case KEYLENS_FLOAT16:
      return CacheElement::kFloat16;
    case KEYLENS_INT8:
      return CacheElement::kInt8;
    default:
      throw InvalidCall("element " + std::to_string(element) +
                        " is no keylens_element");
  }
}

keylens_key_value_cache MakeCache(
    const keylens_key_value_cache_options* options) {
  const keylens_key_value_cache_options& from = Required("options", options);
  return {KeyValueCache({.num_kv_heads = from.num_kv_heads,
                         .head_dim = from.head_dim,
                         .value_dim = from.value_dim,
                         .element = ToCacheElement(from.element),
                         .page_len = from.page_len})};
}

void Append(keylens_key_value_cache* cache, int64_t sequence,
            keylens_element element, const keylens_tensor* key,
            const keylens_tensor* value) {
  WithElement(element, [&]<typename T>(T /*element*/) {
    Required("cache", cache)
        .cache.Append<T>(sequence,
                         ToView<const T, 3>("key", Required("key", key)),
                         ToView<const T, 3>("value", Required("value", value)));
  });
}

void Decode(keylens_element element, const keylens_tensor* query,
            const keylens_key_value_cache* cache,
            std::span<const int64_t> sequences, const keylens_options* options,
            const keylens_attention_outputs* outputs) {
  WithElement(element, [&]<typename T>(T /*element*/) {
    AttentionDecode(ToView<const T, 4>("query", Required("query", query)),
                    Required("cache", cache).cache, sequences,
                    ToOptions(options), ToOutputs<T>("outputs", outputs));
  });
}

}  // namespace
}  // namespace keylens::c_api

using keylens::c_api::Guarded;
using keylens::c_api::Required;

extern "C" {

keylens_status keylens_key_value_cache_create(
    const keylens_key_value_cache_options* options,
    keylens_key_value_cache** cache) {
  return keylens::c_api::MakeHandle(
      "keylens_key_value_cache_create", "cache", cache,
      [&] { return keylens::c_api::MakeCache(options); });
}

void keylens_key_value_cache_destroy(keylens_key_value_cache* cache) {
  delete cache;
}

keylens_status keylens_key_value_cache_add(keylens_key_value_cache* cache,
                                           int64_t* sequence) {
  return Guarded("keylens_key_value_cache_add", [&] {
    int64_t& added = Required("sequence", sequence);
    added = Required("cache", cache).cache.Add();
  });
}

keylens_status keylens_key_value_cache_fork(keylens_key_value_cache* cache,
                                            int64_t sequence, int64_t* fork) {
  return Guarded("keylens_key_value_cache_fork", [&] {
    int64_t& forked = Required("fork", fork);
    forked = Required("cache", cache).cache.Fork(sequence);
  });
}

keylens_status keylens_key_value_cache_remove(keylens_key_value_cache* cache,
                                              int64_t sequence) {
  return Guarded("keylens_key_value_cache_remove",
                 [&] { Required("cache", cache).cache.Remove(sequence); });
}

keylens_status keylens_key_value_cache_length(
    const keylens_key_value_cache* cache, int64_t sequence, int64_t* length) {
  return Guarded("keylens_key_value_cache_length", [&] {
    int64_t& result = Required("length", length);
    result = Required("cache", cache).cache.Length(sequence);
  });
}

keylens_status keylens_key_value_cache_append(keylens_key_value_cache* cache,
                                              int64_t sequence,
                                              keylens_element element,
                                              const keylens_tensor* key,
                                              const keylens_tensor* value) {
  return Guarded("keylens_key_value_cache_append", [&] {
    keylens::c_api::Append(cache, sequence, element, key, value);
  });
}

keylens_status keylens_key_value_cache_memory(
    const keylens_key_value_cache* cache, int64_t* bytes) {
  return Guarded("keylens_key_value_cache_memory", [&] {
    int64_t& result = Required("bytes", bytes);
    result = Required("cache", cache).cache.MemoryBytes();
  });
}

keylens_status keylens_attention_decode(
    keylens_element element, const keylens_tensor* query,
    const keylens_key_value_cache* cache, const int64_t* sequences,
    int64_t num_sequences, const keylens_options* options,
    const keylens_attention_outputs* outputs) {
  return Guarded("keylens_attention_decode", [&] {
    keylens::c_api::Decode(
        element, query, cache,
        keylens::c_api::Array("sequences", sequences, num_sequences), options,
        outputs);
  });
}

}  // extern "C"
