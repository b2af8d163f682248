// Decoding as a share of the machine's read bandwidth: one query against a long
// cache. Each line gives gigabytes of keys and values a second, the bandwidth,
// their quotient, and the time as a part of that of a float cache; all three
// measured in turns.
//
//   decode_bench [--simd=avx2] [--benchmark_filter=BFloat16]

#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <string>
#include <vector>

#include "benchmarks/attention/simd_argument.h"
#include "src/bench/machine_peak.h"
#include "src/bench/workload.h"

namespace keylens {
namespace {

template <typename Work>
double SecondsOf(const Work& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start)
      .count();
}

void RunDecode(benchmark::State& state, CacheElement element) {
  WorkloadShape shape;
  shape.kv_len = 8192;
  shape.head_dim = 128;
  DecodeWorkload workload(shape, element),
      in_float(shape, CacheElement::kFloat32);
  ReadPass read;
  double seconds = 0, float_seconds = 0, read_seconds = 0;
  const auto round = [&] {
    read_seconds += SecondsOf([&] { read.Run(); });
    float_seconds += SecondsOf([&] { in_float.Decode(); });
    const double elapsed = SecondsOf([&] { workload.Decode(); });
    seconds += elapsed;
    return elapsed;
  };
  round();
  seconds = float_seconds = read_seconds = 0;
  for (auto _ : state) state.SetIterationTime(round());
  const auto rounds = static_cast<double>(state.iterations());
  const double speed = workload.Bytes() * 1e-9 * rounds / seconds;
  const double bandwidth = read.Bytes() * 1e-9 * rounds / read_seconds;
  state.counters["gb_per_second"] = speed;
  state.counters["bandwidth"] = bandwidth;
  state.counters["share_of_bandwidth"] = speed / bandwidth;
  state.counters["times_float"] = seconds / float_seconds;
}

void Register(const std::string& name, CacheElement element) {
  benchmark::RegisterBenchmark(
      ("Decode/1x8x8192x128/" + name).c_str(),
      [element](benchmark::State& state) { RunDecode(state, element); })
      ->UseManualTime()
      ->Unit(benchmark::kMillisecond)
      ->Repetitions(5)
      ->ReportAggregatesOnly();
}

}  // namespace
}  // namespace keylens

int main(int argc, char** argv) {
  using keylens::CacheElement;
  std::vector<char*> arguments(argv, argv + argc);
  keylens::TakeSimdArgument(arguments);
  argc = static_cast<int>(arguments.size());
  keylens::Register("Float32", CacheElement::kFloat32);
  keylens::Register("BFloat16", CacheElement::kBFloat16);
  keylens::Register("Float16", CacheElement::kFloat16);
  keylens::Register("Int8", CacheElement::kInt8);
  benchmark::Initialize(&argc, arguments.data());
  if (benchmark::ReportUnrecognizedArguments(argc, arguments.data())) return 2;
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}
