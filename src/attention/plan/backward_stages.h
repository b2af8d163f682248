#ifndef KEYLENS_SRC_ATTENTION_PLAN_BACKWARD_STAGES_H_
#define KEYLENS_SRC_ATTENTION_PLAN_BACKWARD_STAGES_H_

#include <keylens/score_mod.h>

#include <cstdint>

#include "src/attention/plan/problem.h"
#include "src/attention/plan/tile_geometry.h"

namespace keylens::internal {

// One order that suits every mod of the problem.
BackwardOrder StrictestOrder(const Problem& problem);

// The units of a backward pass, numbered in the order in which they are handed
// out. A unit has one stretch of the keys of one group, the query heads of a
// key/value head.
//
// Groups come in rounds. Within one the first stretches of all groups come
// before the second ones, so that a unit seldom waits for the one whose sums it
// continues. Rounds of one group go head by head.
class BackwardStages {
 public:
  BackwardStages(const Problem& problem, int64_t groups_per_round);

  int64_t count() const { return groups_ * stretches_; }
  int64_t stretches() const { return stretches_; }
  int64_t groups_per_round() const { return per_round_; }

  int64_t Stretch(int64_t stage) const;
  int64_t Group(int64_t stage) const;
  Unit UnitOf(int64_t stage) const;

  // The stage of the same keys in the group before, of the stretch before of
  // the same group, and of the last stretch of the group that had this one's
  // place in the round before; each negative where there is none.
  int64_t GroupBefore(int64_t stage) const;
  int64_t StretchBefore(int64_t stage) const;
  int64_t RoundBefore(int64_t stage) const;

 private:
  int64_t RoundSize(int64_t round) const;
  int64_t StageOf(int64_t group, int64_t stretch) const;

  const Problem& problem_;
  int64_t unit_keys_;
  int64_t stretches_;
  int64_t groups_;
  int64_t per_round_;
};

}  // namespace keylens::internal

#endif  // KEYLENS_SRC_ATTENTION_PLAN_BACKWARD_STAGES_H_
