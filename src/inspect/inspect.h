#ifndef KEYLENS_SRC_INSPECT_INSPECT_H_
#define KEYLENS_SRC_INSPECT_INSPECT_H_

#include <cstdint>
#include <span>
#include <vector>

#include "src/inspect/attention_inputs.h"

namespace keylens::inspect {

// What to ask of the weights beside entropy and the sums over queries.
struct InspectionRequest {
  int64_t top_keys = 0;  // of each query; 0: none
  bool weights = false;  // all of them: for short sequences

  // Sums over groups of queries and keys; none where they are empty. -1 leaves
  // out.
  std::span<const int32_t> query_group;  // query_len ids
  std::span<const int32_t> key_group;    // kv_len ids
  int64_t query_groups = 0;
  int64_t key_groups = 0;

  int num_threads = 0;  // 0: all, as in AttentionOptions
};

// What the engine says of one batch entry.
struct EntryStatistics {
  std::vector<int64_t> live_keys;  // [heads, query_len]: that a query may see
  std::vector<float> entropy;      // [heads, query_len], nats
  std::vector<float> key_mass;     // [heads, kv_len]
  std::vector<float> offset_mass;  // [heads, query_len + kv_len - 1]
  std::vector<int64_t> top_keys;   // [heads, query_len, request.top_keys]
  std::vector<float> top_weights;  // the same
  std::vector<float> weights;      // [heads, query_len, kv_len]
  std::vector<float> pooled;       // [heads, query_groups, key_groups]
  double seconds = 0;              // of the call of the engine
};

// One pass over queries and keys, which never holds the matrix of their
// weights (unless asked for). Throws Error, naming the files, head and query,
// for scores that are NaN or infinite.
EntryStatistics InspectEntry(const AttentionInputsOfFiles& inputs,
                             int64_t entry, const InspectionRequest& request);

}  // namespace keylens::inspect

#endif  // KEYLENS_SRC_INSPECT_INSPECT_H_
