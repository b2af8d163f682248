#ifndef KEYLENS_SRC_PARALLEL_THREAD_POOL_H_
#define KEYLENS_SRC_PARALLEL_THREAD_POOL_H_

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace keylens {

struct ThreadPoolOptions {
  // Whether the thread that calls Run takes units as well. Where it does not,
  // all units run in threads of the pool: for bodies that need a thread of
  // their own kind, and callers whose thread must stay as it is.
  bool caller_works = true;
  // Called in each thread of the pool before its first unit; throws nothing.
  std::function<void()> on_start = {};
};

// Threads that run the units of loops. Loops may be given to one pool by
// several threads at once, and by the bodies of its own loops: whoever gives a
// loop (a thread of the pool, if not any caller) works on it until all its
// units are handed out, so that a loop never waits for a free thread.
//
// A thread without work looks for some for a moment (kSpinNanoseconds), since
// the next loop often comes at once, and then sleeps; where there are more
// threads than cores it sleeps at once.
class ThreadPool {
 public:
  // What is done for a unit; `worker` is below the number of threads that work
  // on the loop, and no two units run with the same one at once.
  using Body = std::function<void(int64_t unit, int worker)>;

  // `size` threads work on a loop, the caller counted where it works; 0: one
  // for each of AvailableCores(). Throws std::invalid_argument where `size` is
  // below 0, and std::system_error, with none left running, where the system
  // does not give so many threads.
  explicit ThreadPool(int size = 0, ThreadPoolOptions options = {});
  ~ThreadPool();
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  int size() const;

  // Makes threads until `size` can work on a loop, or as many as the system
  // gives.
  void GrowTo(int size) noexcept;

  // Calls body(unit, worker) once for each unit in [0, units), and returns when
  // all are done. Units are handed out in increasing order, to at most
  // `most_workers` threads (0: all). An exception of a body stops the handing
  // out; that of the lowest unit that threw is thrown here, which is the same
  // for any number of threads.
  void Run(int64_t units, int most_workers, const Body& body);

 private:
  struct Loop;

  void AddThread();
  void StopThreads() noexcept;
  void Serve();
  Loop* Joinable();
  void Join(Loop& loop, std::unique_lock<std::mutex>& lock);
  void AwaitWork(std::unique_lock<std::mutex>& lock);
  void Publish(Loop& loop, int most_workers);
  void Withdraw(Loop& loop, std::unique_lock<std::mutex>& lock);

  const ThreadPoolOptions options_;
  const int cores_;
  std::atomic<int> size_ = 0;  // threads that may work on a loop
  std::atomic<bool> spins_ = true;

  mutable std::mutex mutex_;  // of all below, and of the loops' lists
  std::condition_variable work_came_;
  std::condition_variable worker_left_;
  std::vector<std::thread> threads_;
  Loop* open_ = nullptr;  // those that may still be joined, the oldest first
  int sleeping_ = 0;
  bool stopping_ = false;
  // Changes with every loop that is given, so that a thread can look for one
  // without the mutex.
  std::atomic<uint64_t> news_ = 0;
};

// Whether the calling thread is one of a pool's, or is within a unit: all
// threads that were asked for are busy then, and a loop within had better run
// in this one alone.
bool InsideParallelLoop();

// Calls body(i) once for each i in [0, count), in the threads of the pool, each
// taking the next that nobody has. Throws as ThreadPool::Run does.
void ForEach(ThreadPool& pool, int64_t count,
             const std::function<void(int64_t)>& body);

}  // namespace keylens

#endif  // KEYLENS_SRC_PARALLEL_THREAD_POOL_H_
