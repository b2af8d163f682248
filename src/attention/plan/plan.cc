#include "src/attention/plan/plan.h"

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
// leave fewer units to share out. Calls of few heads have too few units as it
// is. (What is summed in which order hangs on this, so neither the batch nor
// the number of threads may have a say.)
constexpr int64_t kBackwardKeys = 4 * kBlockKeys;
constexpr int64_t kBackwardKeysOfFewHeads = 2 * kBlockKeys;
constexpr int64_t kFewHeads = 3;

int64_t BytesPerKey(const Problem& problem) {
  return static_cast<int64_t>(sizeof(float)) *
         (problem.head_dim + problem.value_dim);
}

}  // namespace

UnitPlan::UnitPlan(const Problem& problem, int64_t per_group,
                   int64_t last_per_group, int num_threads)
    : problem_(problem),
      groups_(problem.batch * problem.num_kv_heads),
      tiles_(problem.HasQueries() ? problem.GroupSize() * TilesPerHead(problem)
                                  : 0),
      per_group_(per_group),
      last_per_group_(last_per_group),
      first_last_(std::max<int64_t>(0, groups_ - num_threads)),
      num_threads_(num_threads) {}

Unit UnitPlan::UnitOf(int64_t index) const {
  const int64_t before = first_last_ * per_group_;
  const bool is_last = index >= before;
  const int64_t pieces = is_last ? last_per_group_ : per_group_;
  const int64_t in_part = is_last ? index - before : index;
  const int64_t group = (is_last ? first_last_ : 0) + in_part / pieces;
  const int64_t piece = in_part % pieces;
  Unit unit;
  unit.batch = group / problem_.num_kv_heads;
  unit.kv_head = group % problem_.num_kv_heads;
  unit.first_tile = piece * tiles_ / pieces;
  unit.end_tile = (piece + 1) * tiles_ / pieces;
  unit.end_key = problem_.kv_len;
  return unit;
}

UnitPlan PlanForward(const Problem& problem) {
  if (!problem.HasQueries()) return {problem, 0, 0, 1};
  const int num_threads = ThreadsFor(problem);
  const int64_t groups = problem.batch * problem.num_kv_heads;
  const int64_t tiles = problem.GroupSize() * TilesPerHead(problem);
  const int64_t even = CeilDiv(groups * tiles, num_threads * kUnitsPerThread);
  const int64_t least =
      std::min(kMinTiles, std::max<int64_t>(1, groups * tiles / num_threads));
  int64_t per_group = CeilDiv(tiles, std::clamp(even, least, kMaxTiles));
  if (groups > num_threads) {
    const int64_t finer = std::min(2 * per_group, tiles / kMinTiles);
    return {problem, per_group, std::max(per_group, finer), num_threads};
  }
  // So few that threads get as many units each, or one of them works alone in
  // the end.
  while (per_group < tiles && groups * per_group % num_threads != 0)
    ++per_group;
  return {problem, per_group, per_group, num_threads};
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
                    problem.num_kv_heads > kFewHeads ? kBackwardKeys
                                                     : kBackwardKeysOfFewHeads);
}

}  // namespace keylens::internal
