// Decoding as a share of the machine's read bandwidth: one query against a long
// cache. Each line gives gigabytes of keys and values a second, the bandwidth
// measured in the same run, their quotient, and the time as a part of that of a
// float cache, measured in turns with it.
//
//   decode_bench [--benchmark_filter=BFloat16]

#include <benchmark/benchmark.h>
#include <keylens/key_value_cache.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "src/attention/machine_peak.h"

namespace keylens {
namespace {

constexpr int64_t kHeads = 8;
constexpr int64_t kDim = 128;
constexpr int64_t kLen = 8192;
// Together too large for any cache; a call uses one of them.
constexpr int kSequences = 4;

class DecodeWorkload {
 public:
  explicit DecodeWorkload(CacheElement element)
      : cache_({kHeads, kDim, kDim, element, 256}),
        query_(kHeads * kDim),
        out_(kHeads * kDim) {
    std::mt19937 random(1);
    std::normal_distribution<float> normal;
    for (float& x : query_) x = normal(random);
    std::vector<float> rows(kHeads * kLen * kDim);
    for (float& x : rows) x = normal(random);
    const auto view = Contiguous(rows.data(), {kHeads, kLen, kDim});
    for (int i = 0; i < kSequences; ++i) {
      sequences_.push_back(cache_.Add());
      cache_.Append<float>(sequences_.back(), view, view);
    }
  }

  // Returns the seconds that it took.
  double Decode() {
    const int64_t sequence = sequences_[next_++ % kSequences];
    const auto start = std::chrono::steady_clock::now();
    AttentionDecode<float>(
        Contiguous<const float>(query_.data(), {1, kHeads, 1, kDim}), cache_,
        {&sequence, 1}, {},
        {Contiguous(out_.data(), {1, kHeads, 1, kDim}), {}});
    return std::chrono::duration<double>(std::chrono::steady_clock::now() -
                                         start)
        .count();
  }

  double Gigabytes() const {
    return static_cast<double>(cache_.MemoryBytes()) / kSequences * 1e-9;
  }

 private:
  KeyValueCache cache_;
  std::vector<int64_t> sequences_;
  std::size_t next_ = 0;
  std::vector<float> query_, out_;
};

void RunDecode(benchmark::State& state, CacheElement element) {
  DecodeWorkload workload(element), in_float(CacheElement::kFloat32);
  workload.Decode();
  in_float.Decode();
  const double before = MeasureReadBandwidthGbs();
  double seconds = 0, float_seconds = 0;
  for (auto _ : state) {
    float_seconds += in_float.Decode();
    const double elapsed = workload.Decode();
    state.SetIterationTime(elapsed);
    seconds += elapsed;
  }
  const double speed =
      workload.Gigabytes() * static_cast<double>(state.iterations()) / seconds;
  const double bandwidth = std::max(before, MeasureReadBandwidthGbs());
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
  keylens::Register("Float32", CacheElement::kFloat32);
  keylens::Register("BFloat16", CacheElement::kBFloat16);
  keylens::Register("Float16", CacheElement::kFloat16);
  keylens::Register("Int8", CacheElement::kInt8);
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}
