#ifndef KEYLENS_KEY_VALUE_CACHE_H_
#define KEYLENS_KEY_VALUE_CACHE_H_

#include <keylens/attention.h>
#include <keylens/tensor_view.h>

#include <cstdint>
#include <memory>
#include <span>

namespace keylens {

// How a cache stores an element. kInt8 keeps each key and each value of a head
// as signed 8-bit integers with a float scale of their own, largest magnitude /
// 127: a quarter of the memory of float, and elements that are at most half a
// scale off (but for keys and values that are denormal throughout: their scales
// have few bits).
enum class CacheElement { kFloat32, kBFloat16, kFloat16, kInt8 };

struct KeyValueCacheOptions {
  int64_t num_kv_heads = 0;
  int64_t head_dim = 0;
  int64_t value_dim = 0;  // 0: as head_dim
  CacheElement element = CacheElement::kFloat32;
  // Keys of a page, a power of two up to 256. Growing never copies a page;
  // sequences that were forked share pages until one of them appends to a page
  // that is not full.
  int64_t page_len = 64;
};

// Keys and values of sequences that grow, for one attention layer: what a
// decoder keeps of the tokens it has seen. Sequences are known by a number. A
// fork costs no copy of keys, so that a beam search may fork at every step.
//
// Reading (AttentionDecode, Length) may go on in several threads at once,
// changing may not.
class KeyValueCache {
 public:
  // Throws std::invalid_argument for a length below 1 or an odd page_len.
  explicit KeyValueCache(const KeyValueCacheOptions& options);
  ~KeyValueCache();
  KeyValueCache(KeyValueCache&&) noexcept;
  KeyValueCache& operator=(KeyValueCache&&) noexcept;

  const KeyValueCacheOptions& options() const;

  // A new sequence: empty, or with what `sequence` holds now.
  int64_t Add();
  int64_t Fork(int64_t sequence);

  // Forgets a sequence, and the pages that no other shares. Its number is not
  // used again.
  void Remove(int64_t sequence);

  int64_t Length(int64_t sequence) const;

  // Puts n keys and values at the end: [num_kv_heads, n, head_dim] and
  // [num_kv_heads, n, value_dim]. T is float, BFloat16 or Float16. Throws
  // std::invalid_argument, and changes nothing, for other shapes, and with
  // kInt8 for an element that is not finite.
  template <typename T>
  void Append(int64_t sequence,
              std::type_identity_t<TensorView<const T, 3>> key,
              std::type_identity_t<TensorView<const T, 3>> value);

  // Memory of all pages, in bytes; a shared page counts once.
  int64_t MemoryBytes() const;

  struct State;
  const State& state() const { return *state_; }  // for AttentionDecode

  // All functions that take the number of a sequence throw
  // std::invalid_argument where there is none.

 private:
  std::unique_ptr<State> state_;
};

// AttentionForward with the keys and values of a cache: batch entry b of
// `query` [batch, num_heads, query_len, head_dim] attends to all of sequence
// sequences[b], whose last query_len keys are usually its own (a causal mask
// with kBottomRight then says what each may see). Masks and mods meet each
// entry's own kv_len in TileCoord, and the longest one in ScoreShape. Entries
// may name the same sequence. The cache is read where it lies.
//
// T is float, BFloat16 or Float16, whatever the cache stores. Fastest for few
// queries. Errors: as AttentionForward.
template <typename T>
void AttentionDecode(std::type_identity_t<TensorView<const T, 4>> query,
                     const KeyValueCache& cache,
                     std::span<const int64_t> sequences,
                     const AttentionOptions& options,
                     const AttentionOutputs<T>& outputs);

}  // namespace keylens

#endif  // KEYLENS_KEY_VALUE_CACHE_H_
