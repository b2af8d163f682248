#include "src/parallel/thread_pool.h"

#include <algorithm>
#include <chrono>
#include <exception>
#include <limits>
#include <stdexcept>
#include <string>
#include <system_error>
#include <utility>

#include "src/parallel/cores.h"

namespace keylens {
namespace {

// How long a thread looks for work before it sleeps. To wake one takes 5 to 50
// microseconds, and the calls of a model come at that distance; longer than
// this would only heat the core that somebody else could use.
constexpr int64_t kSpinNanoseconds = 50'000;

thread_local int units_around = 0;  // of which this thread is within
thread_local const ThreadPool* own_pool = nullptr;  // that made this thread

void Pause() {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

// Waits actively, as long as that is worth it.
template <typename Done>
void SpinUntil(const Done& done) {
  using Clock = std::chrono::steady_clock;
  const auto end = Clock::now() + std::chrono::nanoseconds(kSpinNanoseconds);
  do {
    for (int i = 0; i < 64; ++i) {
      if (done()) return;
      Pause();
    }
  } while (Clock::now() < end);
}

int Resolved(int size) {
  if (size < 0) {
    throw std::invalid_argument("ThreadPool: size is " + std::to_string(size));
  }
  return size == 0 ? AvailableCores() : size;
}

}  // namespace

// On the stack of the thread that gives it. Threads join while it is in the
// pool's list, and it is taken out before its giver returns.
struct ThreadPool::Loop {
  const int64_t units;
  const Body& body;
  int places;  // for threads that may still join; of the mutex
  int workers = 0;
  std::atomic<int> working = 0;  // threads within Work
  Loop* next_open = nullptr;
  std::atomic<int64_t> next_unit = 0;
  std::mutex failure_mutex = {};
  int64_t failed_unit = std::numeric_limits<int64_t>::max();
  std::exception_ptr failure = nullptr;

  bool HasUnits() const {
    return next_unit.load(std::memory_order_relaxed) < units;
  }
  void Work(int worker);
  void Fail(int64_t unit);
};

void ThreadPool::Loop::Work(int worker) {
  ++units_around;
  for (int64_t unit = next_unit.fetch_add(1); unit < units;
       unit = next_unit.fetch_add(1)) {
    try {
      body(unit, worker);
    } catch (...) {
      Fail(unit);
    }
  }
  --units_around;
}

void ThreadPool::Loop::Fail(int64_t unit) {
  next_unit.store(units);
  const std::lock_guard<std::mutex> lock(failure_mutex);
  if (unit >= failed_unit) return;
  failed_unit = unit;
  failure = std::current_exception();
}

ThreadPool::ThreadPool(int size, ThreadPoolOptions options)
    : options_(std::move(options)), cores_(AvailableCores()) {
  const int asked = Resolved(size);
  size_ = options_.caller_works ? 1 : 0;
  try {
    while (size_ < asked) AddThread();
  } catch (const std::system_error& error) {
    const int made = size_;
    StopThreads();
    throw std::system_error(error.code(),
                            "only " + std::to_string(made) + " of " +
                                std::to_string(asked) +
                                " threads could be made; ask for fewer");
  }
}

ThreadPool::~ThreadPool() { StopThreads(); }

int ThreadPool::size() const { return size_; }

void ThreadPool::GrowTo(int size) noexcept {
  if (size <= size_) return;
  const std::lock_guard<std::mutex> lock(mutex_);
  try {
    while (size_ < size) AddThread();
  } catch (const std::system_error&) {
    // The loops run with those that there are.
  }
}

void ThreadPool::AddThread() {
  threads_.emplace_back([this] { Serve(); });
  ++size_;
  spins_ = size_ <= cores_;
}

void ThreadPool::StopThreads() noexcept {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    stopping_ = true;
    ++news_;
  }
  work_came_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

void ThreadPool::Run(int64_t units, int most_workers, const Body& body) {
  if (units <= 0) return;
  const bool works = options_.caller_works || own_pool == this;
  int workers = most_workers == 0 ? size_.load() : most_workers;
  if (units < workers) workers = static_cast<int>(units);
  Loop loop{.units = units, .body = body, .places = workers};
  if (works) {
    loop.places = workers - 1;
    loop.workers = 1;
  }
  if (loop.places > 0) Publish(loop, loop.places);
  if (works) loop.Work(0);
  if (!works || workers > 1) {
    std::unique_lock<std::mutex> lock(mutex_);
    Withdraw(loop, lock);
  }
  if (loop.failure) std::rethrow_exception(loop.failure);
}

void ThreadPool::Publish(Loop& loop, int most_workers) {
  int woken = 0;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    Loop** last = &open_;
    while (*last != nullptr) last = &(*last)->next_open;
    *last = &loop;
    ++news_;
    woken = std::min(sleeping_, most_workers);
  }
  for (; woken > 0; --woken) work_came_.notify_one();
}

// Returns when nobody works on the loop and nobody can join it any more.
void ThreadPool::Withdraw(Loop& loop, std::unique_lock<std::mutex>& lock) {
  const auto is_over = [&] {
    return !loop.HasUnits() &&
           loop.working.load(std::memory_order_acquire) == 0;
  };
  if (spins_) {
    lock.unlock();
    SpinUntil(is_over);
    lock.lock();
  }
  worker_left_.wait(lock, is_over);
  Loop** link = &open_;
  while (*link != &loop) link = &(*link)->next_open;
  *link = loop.next_open;
}

void ThreadPool::Serve() {
  own_pool = this;
  units_around = 1;
  if (options_.on_start) options_.on_start();
  std::unique_lock<std::mutex> lock(mutex_);
  while (!stopping_) {
    if (Loop* loop = Joinable()) {
      Join(*loop, lock);
    } else {
      AwaitWork(lock);
    }
  }
}

ThreadPool::Loop* ThreadPool::Joinable() {
  Loop* loop = open_;
  while (loop != nullptr && (loop->places == 0 || !loop->HasUnits()))
    loop = loop->next_open;
  return loop;
}

void ThreadPool::Join(Loop& loop, std::unique_lock<std::mutex>& lock) {
  --loop.places;
  const int worker = loop.workers++;
  ++loop.working;
  lock.unlock();
  loop.Work(worker);
  lock.lock();
  // Under the mutex: the giver may drop the loop as soon as this is seen.
  if (--loop.working == 0) worker_left_.notify_all();
}

void ThreadPool::AwaitWork(std::unique_lock<std::mutex>& lock) {
  const uint64_t known = news_;
  const auto is_news = [&] {
    return news_.load(std::memory_order_acquire) != known;
  };
  if (spins_) {
    lock.unlock();
    SpinUntil(is_news);
    lock.lock();
  }
  ++sleeping_;
  work_came_.wait(lock, is_news);
  --sleeping_;
}

bool InsideParallelLoop() { return units_around > 0; }

void ForEach(ThreadPool& pool, int64_t count,
             const std::function<void(int64_t)>& body) {
  pool.Run(count, 0, [&](int64_t i, int) { body(i); });
}

}  // namespace keylens
