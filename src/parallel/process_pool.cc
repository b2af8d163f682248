#include "src/parallel/process_pool.h"

#include <atomic>

#if defined(__unix__) || defined(__APPLE__)
#include <pthread.h>
#endif

namespace keylens {
namespace {

// Never destroyed: other threads may be within a call when the process ends,
// and a child cannot join its parent's threads.
std::atomic<ThreadPool*> process_pool = nullptr;

ThreadPool* MakePool() {
#if defined(__unix__) || defined(__APPLE__)
  static const int registered =
      pthread_atfork(nullptr, nullptr, [] { process_pool = nullptr; });
  (void)registered;
#endif
  ThreadPool* none = nullptr;
  auto* made = new ThreadPool(1);
  if (process_pool.compare_exchange_strong(none, made)) return made;
  delete made;
  return none;
}

}  // namespace

ThreadPool& ProcessPool() {
  ThreadPool* pool = process_pool;
  return pool != nullptr ? *pool : *MakePool();
}

}  // namespace keylens
