#include <omp.h>

#include "src/attention/plan/parallel.h"

#if defined(__SANITIZE_THREAD__)
#include <sanitizer/tsan_interface.h>
#endif

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>

#include "src/parallel/thread_pool.h"

namespace keylens::internal {
namespace {

// ThreadSanitizer does not see the barriers of libgomp, which is not built for
// it. These tell it of them: whoever takes over a region sees what was written
// before it was passed on.
#if defined(__SANITIZE_THREAD__)
void PassOn(void* region) { __tsan_release(region); }
void TakeOver(void* region) { __tsan_acquire(region); }
#else
void PassOn(void* /*region*/) {}
void TakeOver(void* /*region*/) {}
#endif

// What the workers of one ParallelFor share.
struct Shared {
  Shared(int64_t unit_count, const std::function<void(int64_t, int)>& unit_body)
      : units(unit_count), body(unit_body) {}

  const int64_t units;
  const std::function<void(int64_t, int)>& body;
  std::atomic<int64_t> next{0};
  std::mutex mutex;
  std::exception_ptr failure;
};

void Work(Shared& shared, int worker) {
  TakeOver(&shared);
  try {
    for (int64_t unit = shared.next.fetch_add(1); unit < shared.units;
         unit = shared.next.fetch_add(1)) {
      shared.body(unit, worker);
    }
  } catch (...) {
    shared.next.store(shared.units);
    const std::lock_guard<std::mutex> lock(shared.mutex);
    if (!shared.failure) shared.failure = std::current_exception();
  }
  PassOn(&shared);
}

// Hands each thread of a team the pointer. Not instrumented: the compiler's own
// way of passing it is in order by the same barriers.
[[gnu::no_sanitize_thread]] void RunTeam(int team, Shared* shared) {
#pragma omp parallel num_threads(team)
  Work(*shared, omp_get_thread_num());
}

}  // namespace

int ResolveThreads(int requested) {
  if (omp_in_parallel() != 0 || InsideParallelLoop()) return 1;
  const int all = std::max(1, omp_get_max_threads());
  return requested > 0 ? std::min(requested, std::max(all, kMostSpareThreads))
                       : all;
}

void ParallelFor(int64_t units, int num_threads,
                 const std::function<void(int64_t, int)>& body) {
  const int team = WorkersFor(units, num_threads);
  if (team <= 1) {
    for (int64_t unit = 0; unit < units; ++unit) body(unit, 0);
    return;
  }
  Shared shared(units, body);
  PassOn(&shared);
  RunTeam(team, &shared);
  TakeOver(&shared);
  if (shared.failure) std::rethrow_exception(shared.failure);
}

}  // namespace keylens::internal
