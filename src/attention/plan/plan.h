#ifndef KEYLENS_SRC_ATTENTION_PLAN_PLAN_H_
#define KEYLENS_SRC_ATTENTION_PLAN_PLAN_H_

#include <cstdint>

#include "src/attention/plan/problem.h"
#include "src/attention/plan/tile_geometry.h"

namespace keylens::internal {

// The forward pass as units: batch and key/value heads first, then stretches of
// the tiles of a group. The last groups, one for each thread, may be cut more
// finely, so that no thread waits long for the others at the end.
class UnitPlan {
 public:
  // A group becomes `per_group` units, one of the last `last_per_group`.
  UnitPlan(const Problem& problem, int64_t per_group, int64_t last_per_group,
           int num_threads);

  int64_t count() const {
    return first_last_ * per_group_ + (groups_ - first_last_) * last_per_group_;
  }
  int64_t max_tiles() const { return CeilDiv(tiles_, per_group_); }
  int num_threads() const { return num_threads_; }
  Unit UnitOf(int64_t index) const;

 private:
  const Problem& problem_;
  int64_t groups_;
  int64_t tiles_;  // of one group of heads
  int64_t per_group_;
  int64_t last_per_group_;
  int64_t first_last_;  // the first of the last groups
  int num_threads_;
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

#endif  // KEYLENS_SRC_ATTENTION_PLAN_PLAN_H_
