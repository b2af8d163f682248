#include "src/attention/parallel.h"

#include <omp.h>

#include <algorithm>
#include <exception>
#include <limits>
#include <mutex>
#include <thread>

namespace keylens::internal {
namespace {

// What the workers of one ParallelFor share. The release/acquire pairs on
// `finished` and `next` order the workers' writes before the return as OpenMP's
// own barrier does; ThreadSanitizer, which cannot see that barrier, sees these.
struct Shared {
  std::atomic<int64_t> next{0};
  std::atomic<int> started{0};
  std::atomic<int> finished{0};
  std::mutex mutex;
  std::exception_ptr failure;
};

void Work(int64_t units, int worker,
          const std::function<void(int64_t, int)>& body, Shared& shared) {
  shared.started.fetch_add(1, std::memory_order_acq_rel);
  try {
    for (int64_t unit = shared.next.fetch_add(1); unit < units;
         unit = shared.next.fetch_add(1))
      body(unit, worker);
  } catch (...) {
    shared.next.store(units);
    const std::lock_guard<std::mutex> lock(shared.mutex);
    if (!shared.failure) shared.failure = std::current_exception();
  }
  shared.finished.fetch_add(1, std::memory_order_release);
}

}  // namespace

int ResolveThreads(int requested) {
  if (omp_in_parallel() != 0) return 1;
  return requested > 0 ? requested : std::max(1, omp_get_max_threads());
}

void ParallelFor(int64_t units, int num_threads,
                 const std::function<void(int64_t, int)>& body) {
  const int team = static_cast<int>(std::min<int64_t>(num_threads, units));
  if (team <= 1) {
    for (int64_t unit = 0; unit < units; ++unit) body(unit, 0);
    return;
  }
  Shared shared;
#pragma omp parallel num_threads(team)
  Work(units, omp_get_thread_num(), body, shared);
  while (shared.finished.load(std::memory_order_acquire) <
         shared.started.load(std::memory_order_acquire)) {
    std::this_thread::yield();
  }
  if (shared.failure) std::rethrow_exception(shared.failure);
}

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
