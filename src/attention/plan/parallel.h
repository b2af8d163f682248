#ifndef KEYLENS_SRC_ATTENTION_PLAN_PARALLEL_H_
#define KEYLENS_SRC_ATTENTION_PLAN_PARALLEL_H_

#include <atomic>
#include <cstdint>
#include <functional>
#include <vector>

namespace keylens::internal {

// How many threads a call may use: `requested`, or all that OpenMP gives when
// it is 0; 1 inside somebody else's parallel region, whose threads are busy
// already.
int ResolveThreads(int requested);

// Calls body(unit, worker) once for each unit in [0, units). Units are handed
// out in increasing order to at most `num_threads` workers, numbered from 0; a
// worker takes its next unit when it is done with the last. The first exception
// of a body stops the handing out and is thrown again here.
void ParallelFor(int64_t units, int num_threads,
                 const std::function<void(int64_t unit, int worker)>& body);

// Lets units that add to the same memory do it in a fixed order while they run
// side by side: stage s of a chain does its step t only after stage s - 1 has
// done it. Free of deadlock where the stages of a chain are units of one
// ParallelFor, in increasing order.
class StageOrder {
 public:
  explicit StageOrder(int64_t stages)
      : steps_done_(static_cast<std::size_t>(stages)) {}

  // Returns when `stage` has done `steps` steps, or has been abandoned.
  void WaitFor(int64_t stage, int64_t steps) const;

  // Says that `stage` has now done `steps` steps.
  void Publish(int64_t stage, int64_t steps);

  // Says that `stage` will do no more; nobody waits for it any longer.
  void Abandon(int64_t stage);

 private:
  std::vector<std::atomic<int64_t>> steps_done_;
};

// Abandons a stage at the end of a scope, so that an exception in it leaves
// nobody waiting. After a stage's last step this changes nothing.
class AbandonOnExit {
 public:
  AbandonOnExit(StageOrder& order, int64_t stage)
      : order_(order), stage_(stage) {}
  ~AbandonOnExit() { order_.Abandon(stage_); }
  AbandonOnExit(const AbandonOnExit&) = delete;
  AbandonOnExit& operator=(const AbandonOnExit&) = delete;

 private:
  StageOrder& order_;
  int64_t stage_;
};

}  // namespace keylens::internal

#endif  // KEYLENS_SRC_ATTENTION_PLAN_PARALLEL_H_
