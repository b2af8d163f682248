#ifndef KEYLENS_SRC_PARALLEL_PROCESS_POOL_H_
#define KEYLENS_SRC_PARALLEL_PROCESS_POOL_H_

#include "src/parallel/thread_pool.h"

namespace keylens {

// The pool of calls that are given no pool, such as the engine's: made at the
// first use, without threads, for GrowTo, and there until the process ends. A
// child of fork has none of its parent's threads, and so gets a pool of its
// own.
ThreadPool& ProcessPool();

}  // namespace keylens

#endif  // KEYLENS_SRC_PARALLEL_PROCESS_POOL_H_
