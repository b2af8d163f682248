#ifndef KEYLENS_SRC_ATTENTION_PLAN_PARALLEL_H_
#define KEYLENS_SRC_ATTENTION_PLAN_PARALLEL_H_

#include <algorithm>
#include <cstdint>
#include <functional>

namespace keylens::internal {

// More threads than cores are of no use, since units are handed out one by one;
// so many may be asked for all the same.
inline constexpr int kMostSpareThreads = 64;

// How many threads a call may use: `requested`, but no more than can be of any
// use, or all when it is 0; 1 inside somebody else's parallel loop, whose
// threads are busy already.
int ResolveThreads(int requested);

// How many workers ParallelFor has for so many units: what arrays of things
// that each worker needs are sized by.
inline int WorkersFor(int64_t units, int num_threads) {
  return static_cast<int>(
      std::clamp<int64_t>(units, 1, std::max(1, num_threads)));
}

// Calls body(unit, worker) once for each unit in [0, units). Units are handed
// out in increasing order to at most `num_threads` workers, numbered from 0; a
// worker takes its next unit when it is done with the last. An exception of a
// body stops the handing out; one of them is thrown again here.
//
// There are two of these, and the build chooses: parallel_openmp.cc (OpenMP's
// threads) and parallel_pool.cc (those of src/parallel).
void ParallelFor(int64_t units, int num_threads,
                 const std::function<void(int64_t unit, int worker)>& body);

}  // namespace keylens::internal

#endif  // KEYLENS_SRC_ATTENTION_PLAN_PARALLEL_H_
