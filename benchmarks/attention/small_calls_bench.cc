// Small calls of the engine, one after another, as a model makes them: what it
// costs to bring threads together. Alone, after a parallel region of OpenMP
// (whose threads then spin for a while), and beside a thread that runs one
// region after another; libtorch's operations are such regions.
//
//   small_calls_bench [ROUNDS]
//
// Built with KEYLENS_OPENMP=ON and OFF it compares the engine's two kinds of
// threads. Prints microseconds a call: the least and the median.

#include <omp.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "src/bench/workload.h"

namespace keylens {
namespace {

using Clock = std::chrono::steady_clock;

// What an elementwise operation of libtorch does.
void OpenMpRegion(std::vector<float>& values) {
  const auto count = static_cast<int64_t>(values.size());
#pragma omp parallel for
  for (int64_t i = 0; i < count; ++i)
    values[static_cast<std::size_t>(i)] *= 0.999f;
}

struct Microseconds {
  double least, median;
};

Microseconds Measure(int rounds, const std::function<void()>& before,
                     const std::function<void()>& call) {
  std::vector<double> times;
  for (int round = 0; round < rounds; ++round) {
    before();
    const auto start = Clock::now();
    call();
    const std::chrono::duration<double, std::micro> time = Clock::now() - start;
    times.push_back(time.count());
  }
  std::sort(times.begin(), times.end());
  return {times.front(), times[times.size() / 2]};
}

void Print(const std::string& what, const Microseconds& time) {
  std::printf("%-44s least %9.1f us   median %9.1f us\n", what.c_str(),
              time.least, time.median);
}

void MeasureShape(int64_t heads, int64_t len, int rounds) {
  WorkloadShape shape;
  shape.batch = 1;
  shape.heads = heads;
  shape.query_len = len;
  shape.kv_len = len;
  shape.head_dim = 64;
  const auto workload = MakeWorkload<float>(shape, 16);
  const auto call = [&] { workload->Forward(); };
  const std::string name =
      std::to_string(heads) + "x" + std::to_string(len) + "x64 ";
  std::vector<float> values(1 << 14, 1.0f);
  const auto region = [&] { OpenMpRegion(values); };
  call();
  Print(name + "alone", Measure(
                            rounds, [] {}, call));
  Print(name + "after a region of OpenMP", Measure(rounds, region, call));
  std::atomic<bool> stop = false;
  std::thread busy([&] {
    std::vector<float> own(1 << 16, 1.0f);
    while (!stop) OpenMpRegion(own);
  });
  Print(name + "beside a thread that runs regions", Measure(
                                                        rounds, [] {}, call));
  stop = true;
  busy.join();
}

}  // namespace
}  // namespace keylens

int main(int argc, char** argv) {
  const int rounds = argc > 1 ? std::atoi(argv[1]) : 2000;
  for (const int64_t len : {32, 64, 128, 256})
    keylens::MeasureShape(8, len, rounds);
}
