// Attention as a share of what the machine's multiply-add units can do.
//
// Each line gives gflops (the products of attention alone: 4 * heads *
// query_len * kv_len * head_dim operations forward, 10 * ... backward),
// fma_peak_gflops (the same threads, in registers, measured beside it) and
// their quotient. An inspection gives its time as a multiple of the plain
// forward pass, measured in turns with it.
//
//   attention_bench [--simd=avx2] [--benchmark_filter=Forward]
//                   [--benchmark_repetitions=9]

#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "benchmarks/attention/simd_argument.h"
#include "src/bench/machine_peak.h"
#include "src/bench/workload.h"

namespace keylens {
namespace {

double SecondsOf(AttentionWorkload& workload,
                 void (AttentionWorkload::*work)()) {
  const auto start = std::chrono::steady_clock::now();
  (workload.*work)();
  const std::chrono::duration<double> elapsed =
      std::chrono::steady_clock::now() - start;
  return elapsed.count();
}

// Times `work`, which does that many operations.
void Share(benchmark::State& state, const WorkloadShape& shape,
           void (AttentionWorkload::*work)(),
           double (AttentionWorkload::*operations)() const) {
  const auto owned = MakeWorkload<float>(shape);
  AttentionWorkload& workload = *owned;
  workload.Forward();
  const double before = MeasureFmaPeakGflops();
  double seconds = 0.0;
  for (auto _ : state) {
    const double elapsed = SecondsOf(workload, work);
    state.SetIterationTime(elapsed);
    seconds += elapsed;
  }
  const double gflops = (workload.*operations)() *
                        static_cast<double>(state.iterations()) / seconds *
                        1e-9;
  const double peak = std::max(before, MeasureFmaPeakGflops());
  state.counters["gflops"] = gflops;
  state.counters["fma_peak_gflops"] = peak;
  state.counters["share_of_peak"] = gflops / peak;
}

// Times `work` against the plain forward pass.
void TimesForward(benchmark::State& state, const WorkloadShape& shape,
                  void (AttentionWorkload::*work)(), int64_t groups = 16) {
  const auto owned = MakeWorkload<float>(shape, groups);
  AttentionWorkload& workload = *owned;
  workload.Forward();
  double forward = 0.0;
  double seconds = 0.0;
  for (auto _ : state) {
    forward += SecondsOf(workload, &AttentionWorkload::Forward);
    const double elapsed = SecondsOf(workload, work);
    state.SetIterationTime(elapsed);
    seconds += elapsed;
  }
  state.counters["times_forward"] = seconds / forward;
}

void Register(const std::string& name, const WorkloadShape& shape) {
  const auto add = [](const std::string& full_name, auto run) {
    benchmark::RegisterBenchmark(full_name.c_str(), run)
        ->UseManualTime()
        ->Unit(benchmark::kMillisecond)
        ->ReportAggregatesOnly();
  };
  add("Forward/" + name, [shape](benchmark::State& state) {
    Share(state, shape, &AttentionWorkload::Forward,
          &AttentionWorkload::ForwardOperations);
  });
  add("Backward/" + name, [shape](benchmark::State& state) {
    Share(state, shape, &AttentionWorkload::Backward,
          &AttentionWorkload::BackwardOperations);
  });
  add("ForwardAndInspect/" + name, [shape](benchmark::State& state) {
    TimesForward(state, shape, &AttentionWorkload::ForwardAndInspect);
  });
  add("ForwardAndInspect32/" + name, [shape](benchmark::State& state) {
    TimesForward(state, shape, &AttentionWorkload::ForwardAndInspect, 32);
  });
  add("ForwardWithWeights/" + name, [shape](benchmark::State& state) {
    TimesForward(state, shape, &AttentionWorkload::ForwardWithWeights);
  });
  add("Inspect/" + name, [shape](benchmark::State& state) {
    TimesForward(state, shape, &AttentionWorkload::InspectAlone);
  });
}

WorkloadShape Shape(int64_t batch, int64_t heads, int64_t query_len,
                    int64_t kv_len, int64_t head_dim,
                    const std::string& mask = "none") {
  WorkloadShape shape;
  shape.batch = batch;
  shape.heads = heads;
  shape.query_len = query_len;
  shape.kv_len = kv_len;
  shape.head_dim = head_dim;
  shape.mask = mask;
  return shape;
}

void RegisterAll() {
  for (const int64_t len : {256, 1024, 4096}) {
    for (const int64_t dim : {40, 64, 128}) {
      Register("8x" + std::to_string(len) + "x" + std::to_string(len) + "x" +
                   std::to_string(dim),
               Shape(1, 8, len, len, dim));
    }
  }
  Register("1x1024x1024x64", Shape(1, 1, 1024, 1024, 64));
  Register("8x1024x1024x64/causal", Shape(1, 8, 1024, 1024, 64, "causal"));
  Register("8x4096x4096x64/causal", Shape(1, 8, 4096, 4096, 64, "causal"));
  Register("8x16384x16384x64/window",
           Shape(1, 8, 16384, 16384, 64, "window:256"));
  Register("8x16384x16384x64/documents",
           Shape(1, 8, 16384, 16384, 64, "documents:512"));
  WorkloadShape channels_first = Shape(1, 8, 1024, 1024, 64);
  channels_first.channels_first = true;
  Register("8x1024x1024x64/channels_first", channels_first);
  Register("32x4x256x256x32", Shape(32, 4, 256, 256, 32));
  Register("64x4x256x16x32", Shape(64, 4, 256, 16, 32));
  Register("64x4x64x64x32", Shape(64, 4, 64, 64, 32));
}

}  // namespace
}  // namespace keylens

int main(int argc, char** argv) {
  // The machine is shared and noisy: medians of several repetitions, unless the
  // command line says otherwise.
  std::vector<char*> arguments(argv, argv + argc);
  char repetitions[] = "--benchmark_repetitions=5";
  char least_time[] = "--benchmark_min_time=0.2";
  arguments.insert(arguments.begin() + 1, {repetitions, least_time});
  keylens::TakeSimdArgument(arguments);
  int count = static_cast<int>(arguments.size());
  benchmark::AddCustomContext("instruction_set", keylens::InstructionSetName());
  keylens::RegisterAll();
  benchmark::Initialize(&count, arguments.data());
  if (benchmark::ReportUnrecognizedArguments(count, arguments.data())) return 2;
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}
