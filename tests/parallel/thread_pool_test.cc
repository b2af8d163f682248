#include "src/parallel/thread_pool.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <ctime>
#include <set>
#include <stdexcept>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

#include "src/parallel/cores.h"

namespace keylens {
namespace {

using ::testing::HasSubstr;

TEST(ThreadPoolTest, ZeroIsAllCores) {
  EXPECT_GE(AvailableCores(), 1);
  EXPECT_EQ(ThreadPool(0).size(), AvailableCores());
  EXPECT_EQ(ThreadPool(3).size(), 3);
  EXPECT_THROW(ThreadPool(-1), std::invalid_argument);
}

TEST(ThreadPoolTest, EveryUnitIsDoneOnce) {
  for (const bool caller_works : {true, false}) {
    for (const int size : {1, 2, 5}) {
      ThreadPool pool(size, {.caller_works = caller_works});
      for (const int64_t units : {0, 1, 2, 4, 5, 6, 1000}) {
        std::vector<std::atomic<int>> done(static_cast<std::size_t>(units));
        ForEach(pool, units,
                [&](int64_t i) { ++done[static_cast<std::size_t>(i)]; });
        for (const auto& count : done) ASSERT_EQ(count, 1);
      }
    }
  }
}

TEST(ThreadPoolTest, ManyShortLoopsOneAfterAnother) {
  ThreadPool pool(4);
  int64_t sum = 0;
  for (int64_t round = 0; round < 20000; ++round) {
    std::atomic<int64_t> part = 0;
    ForEach(pool, 3, [&](int64_t i) { part += i + round; });
    sum += part;
  }
  EXPECT_EQ(sum, 20000 * 3 + 3 * (int64_t{20000} * 19999 / 2));
}

TEST(ThreadPoolTest, LoopsAfterAPauseFindTheSleepersAgain) {
  ThreadPool pool(3, {.caller_works = false});
  for (int round = 0; round < 20; ++round) {
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    std::atomic<int> done = 0;
    ForEach(pool, 7, [&](int64_t) { ++done; });
    ASSERT_EQ(done, 7);
  }
}

// Units that wait for each other: all of them have to run side by side.
TEST(ThreadPoolTest, AsManyThreadsAsItsSizeWorkAtOnce) {
  for (const bool caller_works : {true, false}) {
    ThreadPool pool(4, {.caller_works = caller_works});
    std::atomic<int> arrived = 0;
    ForEach(pool, 4, [&](int64_t) {
      ++arrived;
      while (arrived < 4) std::this_thread::yield();
    });
    EXPECT_EQ(arrived, 4);
  }
}

TEST(ThreadPoolTest, NoTwoUnitsShareAWorkerAtOnce) {
  ThreadPool pool(6);
  for (const int most : {1, 2, 3, 6}) {
    std::vector<std::atomic<int>> busy(static_cast<std::size_t>(most));
    std::atomic<bool> shared = false;
    pool.Run(300, most, [&](int64_t, int worker) {
      std::atomic<int>& mine = busy.at(static_cast<std::size_t>(worker));
      if (++mine > 1) shared = true;
      std::this_thread::yield();
      --mine;
    });
    EXPECT_FALSE(shared) << most;
  }
}

TEST(ThreadPoolTest, TheCallerWorksOnlyWhereItIsToldTo) {
  const auto caller = std::this_thread::get_id();
  ThreadPool apart(1, {.caller_works = false});
  ForEach(apart, 5,
          [&](int64_t) { EXPECT_NE(std::this_thread::get_id(), caller); });
  ThreadPool with(1);
  ForEach(with, 5,
          [&](int64_t) { EXPECT_EQ(std::this_thread::get_id(), caller); });
}

TEST(ThreadPoolTest, EachThreadIsPreparedBeforeItsFirstUnit) {
  static thread_local bool prepared = false;
  std::atomic<int> calls = 0;
  {
    ThreadPool pool(3, {.caller_works = false, .on_start = [&] {
                          prepared = true;
                          ++calls;
                        }});
    ForEach(pool, 100, [&](int64_t) { EXPECT_TRUE(prepared); });
  }
  EXPECT_EQ(calls, 3);
  EXPECT_FALSE(prepared);
}

TEST(ThreadPoolTest, TheErrorOfTheLowestUnitIsThrownAndTheNextLoopWorks) {
  ThreadPool pool(4);
  for (int round = 0; round < 200; ++round) {
    std::atomic<int64_t> last = 0;
    try {
      ForEach(pool, 100000, [&](int64_t i) {
        last = i;
        if (i >= 20) throw std::runtime_error("unit " + std::to_string(i));
      });
      FAIL() << "nothing was thrown";
    } catch (const std::runtime_error& error) {
      EXPECT_STREQ(error.what(), "unit 20");
    }
    EXPECT_LT(last, 100000 - 1);  // the handing out stopped
  }
  std::atomic<int> done = 0;
  ForEach(pool, 10, [&](int64_t) { ++done; });
  EXPECT_EQ(done, 10);
}

TEST(ThreadPoolTest, LoopsWithinLoopsOfTheSamePool) {
  for (const bool caller_works : {true, false}) {
    ThreadPool pool(3, {.caller_works = caller_works});
    std::atomic<int> done = 0;
    ForEach(pool, 8, [&](int64_t) {
      ForEach(pool, 8,
              [&](int64_t) { ForEach(pool, 3, [&](int64_t) { ++done; }); });
    });
    EXPECT_EQ(done, 8 * 8 * 3);
  }
}

TEST(ThreadPoolTest, AnErrorWithinALoopWithinALoopComesOut) {
  ThreadPool pool(3);
  EXPECT_THROW(ForEach(pool, 4,
                       [&](int64_t i) {
                         ForEach(pool, 4, [&](int64_t j) {
                           if (i == 2 && j == 3) throw std::out_of_range("");
                         });
                       }),
               std::out_of_range);
}

TEST(ThreadPoolTest, SeveralThreadsGiveLoopsAtOnce) {
  for (const bool caller_works : {true, false}) {
    ThreadPool pool(3, {.caller_works = caller_works});
    std::vector<int64_t> sums(5);
    std::vector<std::thread> givers;
    for (std::size_t giver = 0; giver < sums.size(); ++giver) {
      givers.emplace_back([&, giver] {
        for (int round = 0; round < 500; ++round) {
          std::atomic<int64_t> sum = 0;
          ForEach(pool, 20, [&](int64_t i) { sum += i; });
          sums[giver] += sum;
        }
      });
    }
    for (std::thread& giver : givers) giver.join();
    for (const int64_t sum : sums) EXPECT_EQ(sum, 500 * 190);
  }
}

TEST(ThreadPoolTest, AUnitKnowsThatItIsOne) {
  EXPECT_FALSE(InsideParallelLoop());
  ThreadPool pool(2);
  ForEach(pool, 4, [](int64_t) { EXPECT_TRUE(InsideParallelLoop()); });
  ForEach(pool, 1, [](int64_t) { EXPECT_TRUE(InsideParallelLoop()); });
  EXPECT_FALSE(InsideParallelLoop());
  EXPECT_THROW(ForEach(pool, 2, [](int64_t) { throw std::runtime_error(""); }),
               std::runtime_error);
  EXPECT_FALSE(InsideParallelLoop());
}

TEST(ThreadPoolTest, ItGrows) {
  ThreadPool pool(1);
  pool.GrowTo(4);
  pool.GrowTo(2);
  EXPECT_EQ(pool.size(), 4);
  std::atomic<int> arrived = 0;
  ForEach(pool, 4, [&](int64_t) {
    ++arrived;
    while (arrived < 4) std::this_thread::yield();
  });
}

double ProcessorSeconds() {
  timespec time = {};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) +
         1e-9 * static_cast<double>(time.tv_nsec);
}

TEST(ThreadPoolTest, WithoutWorkItSleeps) {
  ThreadPool pool(2);
  ForEach(pool, 100, [](int64_t) {});
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  const double before = ProcessorSeconds();
  std::this_thread::sleep_for(std::chrono::milliseconds(200));
  EXPECT_LT(ProcessorSeconds() - before, 0.05);
}

// A user who may have no more threads. Root has no such limit, hence nobody.
int WithoutMoreThreads(const std::function<bool()>& expectation) {
  const pid_t child = fork();
  if (child == 0) {
    const rlimit limit = {1, 1};
    const bool limited =
        (geteuid() != 0 || (setgid(65534) == 0 && setuid(65534) == 0)) &&
        setrlimit(RLIMIT_NPROC, &limit) == 0;
    _exit(!limited ? 2 : expectation() ? 0 : 1);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

TEST(ThreadPoolTest, AThreadThatCannotBeMadeIsAClearError) {
  EXPECT_EQ(WithoutMoreThreads([] {
              try {
                const ThreadPool pool(1024);
              } catch (const std::system_error& error) {
                return std::string(error.what())
                           .find("of 1024 threads could be made") !=
                       std::string::npos;
              }
              return false;
            }),
            0);
}

TEST(ThreadPoolTest, GrowingMakesDoWithWhatThereIs) {
  EXPECT_EQ(WithoutMoreThreads([] {
              ThreadPool pool(1);
              pool.GrowTo(8);
              int sum = 0;
              ForEach(pool, 5, [&](int64_t) { ++sum; });
              return pool.size() == 1 && sum == 5;
            }),
            0);
}

}  // namespace
}  // namespace keylens
