#include <algorithm>

#include "src/attention/plan/parallel.h"
#include "src/parallel/cores.h"
#include "src/parallel/process_pool.h"

namespace keylens::internal {

int ResolveThreads(int requested) {
  if (InsideParallelLoop()) return 1;
  static const int all = AvailableCores();
  return requested > 0 ? std::min(requested, std::max(all, kMostSpareThreads))
                       : all;
}

void ParallelFor(int64_t units, int num_threads,
                 const std::function<void(int64_t, int)>& body) {
  const int workers = WorkersFor(units, num_threads);
  if (workers == 1) {
    for (int64_t unit = 0; unit < units; ++unit) body(unit, 0);
    return;
  }
  ThreadPool& pool = ProcessPool();
  pool.GrowTo(workers);
  pool.Run(units, workers, body);
}

}  // namespace keylens::internal
