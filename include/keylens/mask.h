#ifndef KEYLENS_MASK_H_
#define KEYLENS_MASK_H_

#include <keylens/tensor_view.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace keylens {

// The axes of the whole score tensor of one call.
struct ScoreShape {
  int64_t batch = 0;
  int64_t num_heads = 0;  // of the query
  int64_t query_len = 0;
  int64_t kv_len = 0;
};

// Where a tile of scores lies: one batch entry and query head, the query rows
// [first_query, first_query + num_queries) and the keys [first_key, first_key +
// num_keys). A tile never reaches beyond query_len or kv_len, and has at least
// one row and one key.
struct TileCoord {
  int64_t batch = 0;
  int64_t head = 0;  // of the query
  int64_t first_query = 0;
  int64_t num_queries = 0;
  int64_t first_key = 0;
  int64_t num_keys = 0;
  int64_t query_len = 0;
  int64_t kv_len = 0;
};

// A tile of scores (or of their gradients) in memory: row i, which belongs to
// query coord.first_query + i, is the coord.num_keys floats from data + i *
// row_stride. Nothing between two rows may be touched.
struct ScoreTile {
  float* data = nullptr;
  int64_t row_stride = 0;
  TileCoord coord;

  float* Row(int64_t i) const { return data + i * row_stride; }
};

// What a mask does to a tile: leaves no key live, some of them, or all.
enum class TileClass { kEmpty, kPartial, kFull };

// Which keys each query may look at. A masked score becomes -inf, so its weight
// is 0 and no gradient passes through it; whatever the masked key and value
// hold, NaN included, has no effect.
//
// Masks are open: derive, and pass a pointer in AttentionOptions. Both
// functions cost one call per tile. They are called from several threads at
// once and must give the same answer for a coordinate each time.
class Mask {
 public:
  virtual ~Mask() = default;

  // kEmpty: the tile is skipped. kFull: the tile is used as it is, without
  // Apply. kPartial is always right.
  virtual TileClass Classify(const TileCoord& coord) const = 0;

  // Sets the scores of masked keys to -inf and leaves the others alone. Where
  // Classify says kFull this must change nothing (a debug build asserts it);
  // where it says kEmpty, Apply would mask everything.
  virtual void Apply(ScoreTile scores) const = 0;

  // Why this mask cannot be used with scores of that shape ("live_keys has 3
  // entries for a batch of 4"); empty when it can. Asked once per call, before
  // any work; the answer becomes the text of the std::invalid_argument.
  virtual std::string Misfit(const ScoreShape& shape) const;
};

// Where query i of query_len stands among kv_len keys: kTopLeft, beside key i;
// kBottomRight, beside key i + kv_len - query_len, so that the last query
// stands beside the last key.
enum class CausalAlignment { kTopLeft, kBottomRight };

// A query sees the key it stands beside and all before it. With kBottomRight
// and query_len > kv_len the first query_len - kv_len queries see none.
std::unique_ptr<Mask> CausalMask(CausalAlignment alignment);

// A query that stands beside key p sees the keys from p - left to p + right,
// those of them that there are; -1 is no limit on that side, so that (-1, 0) is
// the causal mask. (0, 0) leaves each query the key it stands beside. Queries
// that no key is that near to see none: with kBottomRight the first query_len -
// kv_len - right, with kTopLeft those from kv_len + left on. Throws
// std::invalid_argument for a limit below -1.
std::unique_ptr<Mask> SlidingWindowMask(int64_t left, int64_t right,
                                        CausalAlignment alignment);

// Every query sees the keys [0, prefix); beyond them, what the causal mask with
// kTopLeft shows: query i sees the keys up to the larger of i and prefix - 1.
// 0 is the causal mask, kv_len or more shows everything. Throws
// std::invalid_argument for a negative prefix.
std::unique_ptr<Mask> PrefixMask(int64_t prefix);

// Query i sees key j where query_document[i] = key_document[j]: several
// documents in one sequence, each attending to itself. One id per query and per
// key, in every batch entry and head the same; any numbers in any order, but
// the keys of a document should lie together, and the documents of the queries
// come in the order of those of the keys, for dead tiles to be skipped. A
// query whose document has no key sees none. The ids are copied.
std::unique_ptr<Mask> DocumentMask(std::vector<int32_t> query_document,
                                   std::vector<int32_t> key_document);

// In batch entry b the keys [0, live_keys[b]) are live. One entry per batch
// entry, each at least 0; one above kv_len means all keys. Throws
// std::invalid_argument for a negative entry.
std::unique_ptr<Mask> KeyPaddingMask(std::vector<int64_t> live_keys);

// live: [batch, num_heads, query_len, kv_len], true where the key is live;
// stride 0 broadcasts an axis, and an axis of length 1 does too. The memory is
// not copied: it must stay, unchanged, during every call that uses the mask.
// Throws std::invalid_argument when `live` has elements but no data.
std::unique_ptr<Mask> DenseMask(TensorView<const bool, 4> live);

// A key is live where all of `masks` say so; with no masks, everywhere. The
// masks are not owned and must outlive the result. Throws std::invalid_argument
// for a null pointer.
std::unique_ptr<Mask> AllOf(std::vector<const Mask*> masks);

}  // namespace keylens

#endif  // KEYLENS_MASK_H_
