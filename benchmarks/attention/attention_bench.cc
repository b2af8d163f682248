// Attention as a share of what the machine's multiply-add units can do.
//
// Each line gives gflops (the products of attention alone: 4 * heads *
// query_len * kv_len * head_dim operations forward, 10 * ... backward),
// fma_peak_gflops (the same threads, in registers, measured beside it) and
// their quotient. An inspection gives its time as a multiple of the plain
// forward pass, measured in turns with it.
//
//   attention_bench [--benchmark_filter=Forward] [--benchmark_repetitions=9]

#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <string>
#include <vector>

#include "src/attention/machine_peak.h"
#include "src/attention/workload.h"

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

// Times `work`, which does `products` products.
void Share(benchmark::State& state, const WorkloadShape& shape,
           void (AttentionWorkload::*work)(), int products) {
  AttentionWorkload workload(shape);
  workload.Forward();
  const double before = MeasureFmaPeakGflops();
  double seconds = 0.0;
  for (auto _ : state) {
    const double elapsed = SecondsOf(workload, work);
    state.SetIterationTime(elapsed);
    seconds += elapsed;
  }
  const double gflops = workload.Operations(products) *
                        static_cast<double>(state.iterations()) / seconds *
                        1e-9;
  const double peak = std::max(before, MeasureFmaPeakGflops());
  state.counters["gflops"] = gflops;
  state.counters["fma_peak_gflops"] = peak;
  state.counters["share_of_peak"] = gflops / peak;
}

// Times `work` against the plain forward pass.
void TimesForward(benchmark::State& state, const WorkloadShape& shape,
                  void (AttentionWorkload::*work)()) {
  AttentionWorkload workload(shape);
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
    Share(state, shape, &AttentionWorkload::Forward, 2);
  });
  add("Backward/" + name, [shape](benchmark::State& state) {
    Share(state, shape, &AttentionWorkload::Backward, 5);
  });
  add("ForwardAndInspect/" + name, [shape](benchmark::State& state) {
    TimesForward(state, shape, &AttentionWorkload::ForwardAndInspect);
  });
  add("Inspect/" + name, [shape](benchmark::State& state) {
    TimesForward(state, shape, &AttentionWorkload::InspectAlone);
  });
}

void RegisterAll() {
  Register("8x1024x1024x64", {1, 8, 1024, 1024, 64});
  Register("8x1024x1024x64/causal", {1, 8, 1024, 1024, 64, true});
  Register("8x4096x4096x64", {1, 8, 4096, 4096, 64});
  Register("8x1024x1024x128", {1, 8, 1024, 1024, 128});
  Register("32x4x256x256x32", {32, 4, 256, 256, 32});
  Register("64x4x256x16x32", {64, 4, 256, 16, 32});
  Register("64x4x64x64x32", {64, 4, 64, 64, 32});
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
  int count = static_cast<int>(arguments.size());
  benchmark::AddCustomContext("instruction_set", keylens::InstructionSetName());
  keylens::RegisterAll();
  benchmark::Initialize(&count, arguments.data());
  if (benchmark::ReportUnrecognizedArguments(count, arguments.data())) return 2;
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}
