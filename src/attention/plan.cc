#include "src/attention/plan.h"

#include <algorithm>

namespace keylens::internal {
namespace {

// Packed keys and values of a span, in bytes: half of a common second-level
// cache.
constexpr int64_t kSpanBytes = int64_t{1} << 19;
// Kept exponentials and packed keys and values of one worker, in bytes.
constexpr int64_t kKeptBytes = int64_t{4} << 20;
// A unit of fewer tiles would spend more than a few percent of its time packing
// the same keys and values again.
constexpr int64_t kMinTiles = 8;
// The outputs of a unit wait in memory between spans; more tiles would push the
// span out of the cache.
constexpr int64_t kMaxTiles = 24;
// Units for each thread, so that the last ones to finish are not far apart.
constexpr int64_t kUnitsPerThread = 3;
// Multiply-adds below which a thread takes longer to wake up than to work: some
// 10 microseconds.
constexpr double kWorkPerThread = 1e6;
// Keys of a backward unit. Fewer would load the queries more often, more would
// leave fewer units to share out.
constexpr int64_t kBackwardKeys = 4 * kBlockKeys;

int64_t BytesPerKey(const Problem& problem) {
  return static_cast<int64_t>(sizeof(float)) *
         (problem.head_dim + problem.value_dim);
}

}  // namespace

UnitPlan::UnitPlan(const Problem& problem, int64_t max_tiles, int num_threads)
    : problem_(problem), max_tiles_(max_tiles), num_threads_(num_threads) {
  if (!problem.HasQueries()) return;
  tiles_ = problem.GroupSize() * TilesPerHead(problem);
  per_group_ = CeilDiv(tiles_, max_tiles_);
  max_tiles_ = CeilDiv(tiles_, per_group_);  // evenly
  per_group_ = CeilDiv(tiles_, max_tiles_);
}

Unit UnitPlan::UnitOf(int64_t index) const {
  const int64_t group = index / per_group_;
  const int64_t first = index % per_group_ * max_tiles_;
  Unit unit;
  unit.batch = group / problem_.num_kv_heads;
  unit.kv_head = group % problem_.num_kv_heads;
  unit.first_tile = first;
  unit.end_tile = std::min(first + max_tiles_, tiles_);
  unit.end_key = problem_.kv_len;
  return unit;
}

UnitPlan PlanForward(const Problem& problem) {
  if (!problem.HasQueries()) return {problem, 1, 1};
  const int num_threads = ThreadsFor(problem);
  const int64_t tiles =
      problem.batch * problem.num_heads * TilesPerHead(problem);
  const int64_t even = CeilDiv(tiles, num_threads * kUnitsPerThread);
  const int64_t least =
      std::min(kMinTiles, std::max<int64_t>(1, tiles / num_threads));
  return {problem, std::clamp(even, least, kMaxTiles), num_threads};
}

int ThreadsFor(const Problem& problem) {
  const double work = static_cast<double>(problem.batch) *
                      static_cast<double>(problem.num_heads) *
                      static_cast<double>(problem.query_len) *
                      static_cast<double>(problem.kv_len) *
                      static_cast<double>(problem.head_dim + problem.value_dim);
  const double worth = 1.0 + work / kWorkPerThread;
  return worth < problem.num_threads ? static_cast<int>(worth)
                                     : problem.num_threads;
}

int64_t SpanKeys(const Problem& problem) {
  const int64_t fitting =
      RoundUp(kSpanBytes / BytesPerKey(problem), kBlockKeys);
  return std::clamp(fitting, kBlockKeys,
                    std::max(kBlockKeys, RoundUp(problem.kv_len, kBlockKeys)));
}

bool RowsAreKept(const Problem& problem) {
  const int64_t per_key =
      BytesPerKey(problem) + static_cast<int64_t>(sizeof(float)) * kTileRows;
  return problem.kv_len <= kKeptBytes / per_key;
}

int64_t BackwardKeys(const Problem& problem) {
  return std::clamp(RoundUp(problem.kv_len, kBlockKeys), kBlockKeys,
                    kBackwardKeys);
}

}  // namespace keylens::internal
