#ifndef KEYLENS_SRC_ATTENTION_PLAN_STAGE_ORDER_H_
#define KEYLENS_SRC_ATTENTION_PLAN_STAGE_ORDER_H_

#include <atomic>
#include <cstdint>
#include <vector>

namespace keylens::internal {

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

#endif  // KEYLENS_SRC_ATTENTION_PLAN_STAGE_ORDER_H_
