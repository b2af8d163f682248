#ifndef KEYLENS_SRC_ATTENTION_PASSES_DECODE_H_
#define KEYLENS_SRC_ATTENTION_PASSES_DECODE_H_

#include <keylens/attention.h>

#include <cstdint>
#include <functional>
#include <span>

#include "src/attention/plan/problem.h"
#include "src/attention/plan/tile_geometry.h"

// Few queries against many keys. Packing keys and values for the tile loop
// would take longer than using them once or twice, so they are read where they
// lie; and since the queries are too few to share out, the keys are: each unit
// takes a chunk of them, and the partial results are merged.

namespace keylens::internal {

// Query rows of a key/value head at and below which a call is decoded.
inline constexpr int64_t kMaxDecodeRows = 8;

// Keys of a unit. A constant, so that sums do not depend on the number of
// threads.
inline constexpr int64_t kDecodeChunk = 2 * kBlockKeys;

// Floats from one packed row to the next: a multiple of the longest vector.
inline int64_t DecodeStride(int64_t dim) { return RoundUp(dim, 16); }

// Where some keys and values lie: row i of either is i strides further on, and
// its elements are a step apart.
template <typename E>
struct KeyValueRows {
  const E* keys = nullptr;
  int64_t key_stride = 0;
  int64_t key_step = 1;
  const E* values = nullptr;
  int64_t value_stride = 0;
  int64_t value_step = 1;
  // What each key and value is to be multiplied by; null: nothing.
  const float* key_scales = nullptr;
  const float* value_scales = nullptr;
};

// Rows [first_row, first_row + num_rows), at most kTileRows, of the query heads
// that share a key/value head, numbered head by head, against keys [first_key,
// end_key) of the kv_len that the batch entry has.
struct DecodeUnit {
  int64_t batch = 0;
  int64_t kv_head = 0;
  int64_t first_row = 0;
  int64_t num_rows = 0;
  int64_t first_key = 0;
  int64_t end_key = 0;
  int64_t kv_len = 0;
};

// The keys and values of a batch entry and head, from `first_key` on. They lie
// together up to the next multiple of `block_keys` (at most kBlockKeys, a
// divisor of kDecodeChunk).
template <typename E>
struct KeyValueSource {
  int64_t block_keys = kBlockKeys;
  std::function<KeyValueRows<E>(int64_t batch, int64_t kv_head,
                                int64_t first_key)>
      rows;
};

// Results of a unit, for each of its rows: the largest score, the sum of
// exp(score - max), and the sum of exp(score - max) value, DecodeStride(
// value_dim) floats.
struct DecodePartial {
  float* max = nullptr;
  float* sum = nullptr;
  float* out = nullptr;
};

// Fills `partial`. `query` has the unit's rows, DecodeStride(head_dim) floats
// each, 0 behind the last dimension. Values that are infinite or NaN may leave
// NaN where their weight is 0.
template <typename E>
void RunDecode(const Problem& problem, const DecodeUnit& unit,
               const float* query, const KeyValueSource<E>& source,
               const DecodePartial& partial);

// The finished output rows, in `out`, of a unit with all keys whose logsumexp
// is known: slower, and right for values that are not finite.
template <typename E>
void RunDecodeFinal(const Problem& problem, const DecodeUnit& unit,
                    const float* query, const KeyValueSource<E>& source,
                    const float* logsumexp, float* out);

// The forward pass of a call; kv_lens has one length for each batch entry, at
// most problem.kv_len.
template <typename T, typename E>
void Decode(const Problem& problem, const TensorView<const T, 4>& query,
            const KeyValueSource<E>& source, std::span<const int64_t> kv_lens,
            const AttentionOutputs<T>& outputs);

// Whether AttentionForward decodes. A matter of shapes alone.
inline bool IsDecoded(const Problem& problem) {
  return problem.HasQueries() && problem.dropout.probability == 0.0f &&
         problem.GroupSize() * problem.query_len <= kMaxDecodeRows;
}

// Decode with the keys and values of the call.
template <typename T>
void DecodeInputs(const Problem& problem, const AttentionInputs<T>& inputs,
                  const AttentionOutputs<T>& outputs);

}  // namespace keylens::internal

#endif  // KEYLENS_SRC_ATTENTION_PASSES_DECODE_H_
