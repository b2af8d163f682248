#ifndef KEYLENS_SRC_ATTENTION_PLAN_H_
#define KEYLENS_SRC_ATTENTION_PLAN_H_

#include <cstdint>

#include "src/attention/problem.h"
#include "src/attention/tile_geometry.h"

namespace keylens::internal {

// The forward pass as units: batch and key/value heads first, then stretches of
// the tiles of a group.
class UnitPlan {
 public:
  UnitPlan(const Problem& problem, int64_t max_tiles, int num_threads);

  int64_t count() const {
    return problem_.batch * problem_.num_kv_heads * per_group_;
  }
  int64_t max_tiles() const { return max_tiles_; }
  int num_threads() const { return num_threads_; }
  Unit UnitOf(int64_t index) const;

 private:
  const Problem& problem_;
  int64_t tiles_ = 0;  // of one group of heads
  int64_t max_tiles_ = 1;
  int64_t per_group_ = 0;
  int num_threads_ = 1;
};

UnitPlan PlanForward(const Problem& problem);

// How many threads are worth waking up.
int ThreadsFor(const Problem& problem);

// Keys that are packed at a time, whole blocks of them: as many as stay in a
// second-level cache, keys and values.
int64_t SpanKeys(const Problem& problem);

// Whether a tile of whole rows is small enough to be kept until its sums are
// known. A matter of shapes alone, because the statistics differ in the last
// bits.
bool RowsAreKept(const Problem& problem);

// Keys that one unit of the backward pass owns; whole blocks.
int64_t BackwardKeys(const Problem& problem);

}  // namespace keylens::internal

#endif  // KEYLENS_SRC_ATTENTION_PLAN_H_
