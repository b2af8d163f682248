#ifndef KEYLENS_SRC_ATTENTION_CACHE_STATE_H_
#define KEYLENS_SRC_ATTENTION_CACHE_STATE_H_

#include <keylens/key_value_cache.h>

#include <cstddef>
#include <map>
#include <memory>
#include <vector>

#include "src/attention/passes/decode.h"
#include "src/attention/plan/aligned_array.h"

namespace keylens::internal {

// Where the parts of a page start, in bytes: keys [num_kv_heads, page_len,
// head_dim], values likewise, and with kInt8 the scales of both, [num_kv_heads,
// page_len].
struct PageLayout {
  explicit PageLayout(const KeyValueCacheOptions& options);

  int64_t element_bytes = 0;
  int64_t values = 0;
  int64_t key_scales = 0;
  int64_t value_scales = 0;
  int64_t bytes = 0;
};

using Page = AlignedArray<std::byte>;

struct CachedSequence {
  int64_t length = 0;
  std::vector<std::shared_ptr<Page>> pages;
};

}  // namespace keylens::internal

namespace keylens {

struct KeyValueCache::State {
  explicit State(const KeyValueCacheOptions& settings);

  // Throws std::invalid_argument, starting with the function's name.
  internal::CachedSequence& Find(const char* function, int64_t sequence);
  const internal::CachedSequence& Find(const char* function,
                                       int64_t sequence) const;

  // The keys and values of a head from `first_key` on, to the end of its page.
  template <typename E>
  internal::KeyValueRows<E> RowsOf(const internal::CachedSequence& sequence,
                                   int64_t kv_head, int64_t first_key) const;

  KeyValueCacheOptions options;
  internal::PageLayout layout;
  std::map<int64_t, internal::CachedSequence> sequences;
  int64_t next_sequence = 0;
};

template <typename E>
internal::KeyValueRows<E> KeyValueCache::State::RowsOf(
    const internal::CachedSequence& sequence, int64_t kv_head,
    int64_t first_key) const {
  const int64_t page = first_key / options.page_len;
  const int64_t row = kv_head * options.page_len + first_key % options.page_len;
  std::byte* data = sequence.pages[static_cast<std::size_t>(page)]->get();
  internal::KeyValueRows<E> rows;
  rows.keys = reinterpret_cast<const E*>(data) + row * options.head_dim;
  rows.key_stride = options.head_dim;
  rows.values = reinterpret_cast<const E*>(data + layout.values) +
                row * options.value_dim;
  rows.value_stride = options.value_dim;
  if (options.element == CacheElement::kInt8) {
    rows.key_scales =
        reinterpret_cast<const float*>(data + layout.key_scales) + row;
    rows.value_scales =
        reinterpret_cast<const float*>(data + layout.value_scales) + row;
  }
  return rows;
}

}  // namespace keylens

#endif  // KEYLENS_SRC_ATTENTION_CACHE_STATE_H_
