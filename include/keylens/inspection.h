#ifndef KEYLENS_INSPECTION_H_
#define KEYLENS_INSPECTION_H_

#include <keylens/tensor_view.h>

#include <cstdint>
#include <span>

namespace keylens {

// What to report about the weights, and where to put it. A view whose data is
// null was not asked for. A query with no live key has weights 0 and entropy 0,
// and adds nothing to the sums; the row of a query with a NaN score is NaN.
//
// Only `weights` takes memory that grows with query_len * kv_len, and only for
// the rows asked for.
struct Inspection {
  // The rows that `weights` covers; all by default, and none is legal.
  IndexRange query_rows;
  TensorView<float, 4> weights;  // [batch, num_heads, rows, kv_len]

  TensorView<float, 3>
      entropy;  // [batch, num_heads, query_len]: -sum of w ln w, in nats
  TensorView<float, 3> key_mass;  // [batch, num_heads, kv_len]: the sum of the
                                  // weights over the queries

  // The k heaviest keys of each query and their weights, descending, ties to
  // the lower key; -1 and 0 where fewer than k keys are live. Each may be asked
  // for without the other.
  TensorView<int64_t, 4> top_keys;   // [batch, num_heads, query_len, k]
  TensorView<float, 4> top_weights;  // [batch, num_heads, query_len, k]

  // The weights summed over groups of queries and of keys. Ids run from 0 to
  // the axis of `pooled` less 1; -1 leaves a query or key out; an axis may have
  // groups without members, which get 0.
  std::span<const int32_t> query_group;  // query_len ids
  std::span<const int32_t> key_group;    // kv_len ids
  TensorView<float, 4> pooled;  // [batch, num_heads, query groups, key groups]

  // The weights summed by how far a key is from its query: element
  // j - i + query_len - 1 is the sum of the weights of key j for query i over
  // the queries. From it the mean distance, the share on the key before, ...
  TensorView<float, 3>
      offset_mass;  // [batch, num_heads, query_len + kv_len - 1]; 0 elements
                    // where there is neither a query nor a key
};

}  // namespace keylens

#endif  // KEYLENS_INSPECTION_H_
