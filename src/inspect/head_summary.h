#ifndef KEYLENS_SRC_INSPECT_HEAD_SUMMARY_H_
#define KEYLENS_SRC_INSPECT_HEAD_SUMMARY_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "src/inspect/inspect.h"
#include "src/render/report/head_statistics.h"

namespace keylens::inspect {

struct KeyShare {
  int64_t key = 0;
  double share = 0;  // of the weight of a head, or of a query
};

// What one head does, in the mean over the queries that see a key at all.
struct HeadSummary {
  render::HeadStatistics statistics;
  render::HeadKind kind = render::HeadKind::kMixed;
  int64_t live_queries = 0;
  std::vector<KeyShare> heaviest_keys;  // by falling share, ties to the lower
};

// What of the inputs a summary needs to know.
struct SequenceShape {
  int64_t query_len = 0;
  int64_t kv_len = 0;
  // Queries and keys are places of one sequence, where key i + key_beside
  // stands at the place of query i.
  bool self_attention = false;
  int64_t key_beside = 0;
};

// One for each head; `keys` of the heaviest keys, or as many as there are.
std::vector<HeadSummary> Summarize(const EntryStatistics& statistics,
                                   const SequenceShape& shape, int64_t keys);

// Up to `count` of the heaviest keys of one query of a head, of those that were
// asked for, and their weights; `row` is head * query_len + query.
std::vector<KeyShare> HeaviestKeysOf(const EntryStatistics& statistics,
                                     std::size_t row, int64_t count);

}  // namespace keylens::inspect

#endif  // KEYLENS_SRC_INSPECT_HEAD_SUMMARY_H_
