// Calls that meet other threads: many asked for, calls from several threads at
// once, calls within a loop's body, calls in a child of fork. All give the bits
// of one thread.

#include <gtest/gtest.h>
#include <keylens/attention.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdint>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "src/parallel/thread_pool.h"

namespace keylens {
namespace {

constexpr int64_t kBatch = 2, kHeads = 5, kLen = 131, kDim = 24;

std::vector<float> Numbers(int64_t count, uint32_t state) {
  std::vector<float> values(static_cast<std::size_t>(count));
  for (float& value : values) {
    state = state * 1664525 + 1013904223;
    value = static_cast<float>(state >> 8) * 0x1p-23f - 1.0f;
  }
  return values;
}

// The results of a forward pass with statistics, a backward pass and an
// inspection, end to end.
std::vector<float> AllPasses(int num_threads) {
  const int64_t size = kBatch * kHeads * kLen * kDim;
  const int64_t rows = kBatch * kHeads * kLen;
  const auto q = Numbers(size, 1), k = Numbers(size, 2), v = Numbers(size, 3),
             d = Numbers(size, 4);
  std::vector<float> out(static_cast<std::size_t>(5 * size + 4 * rows));
  float* at = out.data();
  const auto whole = [&] {
    const auto view = Contiguous(at, {kBatch, kHeads, kLen, kDim});
    at += size;
    return view;
  };
  const auto by_row = [&] {
    const auto view = Contiguous(at, {kBatch, kHeads, kLen});
    at += rows;
    return view;
  };
  const auto input = [](const std::vector<float>& values) {
    return Contiguous(values.data(), {kBatch, kHeads, kLen, kDim});
  };
  const AttentionInputs<float> inputs = {input(q), input(k), input(v)};
  AttentionOptions options;
  options.num_threads = num_threads;
  const AttentionOutputs<float> outputs = {whole(), by_row()};
  Inspection beside, apart;
  beside.key_mass = by_row();
  apart.entropy = by_row();
  apart.key_mass = by_row();
  AttentionForward(inputs, options, outputs);
  AttentionForward(inputs, options, outputs, &beside);
  AttentionInspect(inputs, options,
                   Contiguous(static_cast<const float*>(outputs.logsumexp.data),
                              {kBatch, kHeads, kLen}),
                   apart);
  AttentionBackward(inputs, options, outputs, input(d),
                    {whole(), whole(), whole()});
  return out;
}

int64_t StatusKilobytes(const std::string& key) {
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;) {
    int64_t number = 0;
    if (word == key + ":" && status >> number) return number;
  }
  return -1;
}

// An array of a pointer for each of the threads asked for would be 8 GB.
TEST(ThreadsTest, AskingForABillionCostsNothing) {
  const std::vector<float> expected = AllPasses(1);
  for (const int asked : {1000, 1'000'000'000, INT32_MAX}) {
    EXPECT_EQ(AllPasses(asked), expected) << asked;
  }
  EXPECT_LT(StatusKilobytes("VmHWM"), 512 * 1024);
  EXPECT_LT(StatusKilobytes("Threads"), 1000);  // a count, not kilobytes
}

TEST(ThreadsTest, SeveralThreadsCallAtOnce) {
  const std::vector<float> expected = AllPasses(1);
  std::vector<std::vector<float>> results(6);
  std::vector<std::thread> callers;
  for (std::size_t i = 0; i < results.size(); ++i) {
    callers.emplace_back([&results, i] {
      for (int round = 0; round < 5; ++round)
        results[i] = AllPasses(static_cast<int>(i));
    });
  }
  for (std::thread& caller : callers) caller.join();
  for (const auto& result : results) EXPECT_EQ(result, expected);
}

TEST(ThreadsTest, CallsWithinALoopRunInItsThreads) {
  const std::vector<float> expected = AllPasses(1);
  ThreadPool pool(3);
  std::vector<std::vector<float>> results(7);
  ForEach(pool, 7, [&](int64_t i) {
    results[static_cast<std::size_t>(i)] = AllPasses(static_cast<int>(i % 3));
  });
  for (const auto& result : results) EXPECT_EQ(result, expected);
}

// Libgomp's threads do not survive a fork, and its next region waits for them.
#ifndef KEYLENS_OPENMP
TEST(ThreadsTest, AChildOfForkHasThreadsOfItsOwn) {
  const std::vector<float> expected = AllPasses(4);
  const pid_t child = fork();
  if (child == 0) {
    alarm(60);
    _exit(AllPasses(4) == expected ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status)) << WTERMSIG(status);
  EXPECT_EQ(WEXITSTATUS(status), 0);
}
#endif

}  // namespace
}  // namespace keylens
