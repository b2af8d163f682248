#ifndef KEYLENS_SRC_INSPECT_INSPECTION_JSON_H_
#define KEYLENS_SRC_INSPECT_INSPECTION_JSON_H_

#include <cstdint>
#include <nlohmann/json.hpp>

#include "src/inspect/head_summary.h"
#include "src/inspect/inspect.h"
#include "src/inspect/labels.h"

// What docs/inspecting.md describes.

namespace keylens::inspect {

// kind, and the fields of HeadStatistics; those that count places for
// self-attention alone.
nlohmann::ordered_json ToJson(const render::HeadStatistics& statistics,
                              render::HeadKind kind, bool self_attention);

// A head of inspected arrays: the same, live_queries and heaviest_keys.
nlohmann::ordered_json ToJson(const HeadSummary& summary,
                              const SequenceShape& shape, const Labels& labels);

// A query's entropy and up to `count` of its heaviest keys in every head.
nlohmann::ordered_json QueryJson(int64_t query,
                                 const EntryStatistics& statistics,
                                 const SequenceShape& shape, int64_t count,
                                 const Labels& labels);

}  // namespace keylens::inspect

#endif  // KEYLENS_SRC_INSPECT_INSPECTION_JSON_H_
