#include "src/attention/plan/stage_order.h"

#include <limits>
#include <thread>

namespace keylens::internal {

void StageOrder::WaitFor(int64_t stage, int64_t steps) const {
  const std::atomic<int64_t>& done =
      steps_done_[static_cast<std::size_t>(stage)];
  while (done.load(std::memory_order_acquire) < steps)
    std::this_thread::yield();
}

void StageOrder::Publish(int64_t stage, int64_t steps) {
  steps_done_[static_cast<std::size_t>(stage)].store(steps,
                                                     std::memory_order_release);
}

void StageOrder::Abandon(int64_t stage) {
  Publish(stage, std::numeric_limits<int64_t>::max());
}

}  // namespace keylens::internal
