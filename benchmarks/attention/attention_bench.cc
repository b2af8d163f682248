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
#include <keylens/keylens.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "src/attention/machine_peak.h"

namespace keylens {
namespace {

constexpr int64_t kTop = 8;
constexpr int64_t kGroups = 16;

struct Shape {
  int64_t batch;
  int64_t heads;
  int64_t query_len;
  int64_t kv_len;
  int64_t head_dim;
  bool causal = false;
};

std::vector<float> Normal(int64_t size, unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<float> normal;
  std::vector<float> values(static_cast<std::size_t>(size));
  std::generate(values.begin(), values.end(), [&] { return normal(random); });
  return values;
}

// Buffers for one shape, every output and statistic included.
class Workload {
 public:
  explicit Workload(const Shape& shape)
      : shape_(shape),
        query_(Normal(Rows() * shape.head_dim, 1)),
        key_(Normal(Keys() * shape.head_dim, 2)),
        value_(Normal(Keys() * shape.head_dim, 3)),
        out_grad_(Normal(Rows() * shape.head_dim, 4)),
        out_(query_.size()),
        logsumexp_(static_cast<std::size_t>(Rows())),
        query_grad_(query_.size()),
        key_grad_(key_.size()),
        value_grad_(value_.size()),
        entropy_(logsumexp_.size()),
        key_mass_(static_cast<std::size_t>(Keys())),
        top_keys_(logsumexp_.size() * kTop),
        top_weights_(logsumexp_.size() * kTop),
        query_group_(GroupIds(shape.query_len)),
        key_group_(GroupIds(shape.kv_len)),
        pooled_(static_cast<std::size_t>(shape.batch * shape.heads * kGroups *
                                         kGroups)),
        mask_(CausalMask(CausalAlignment::kTopLeft)) {
    if (shape.causal) options_.mask = mask_.get();
  }

  void Forward() { AttentionForward(Inputs(), options_, Outputs()); }

  void Backward() {
    AttentionBackward<float>(
        Inputs(), options_, Outputs(), OfQuery(out_grad_),
        {OfQuery(query_grad_), OfKey(key_grad_), OfKey(value_grad_)});
  }

  void ForwardAndInspect() {
    const Inspection inspection = Statistics();
    AttentionForward(Inputs(), options_, Outputs(), &inspection);
  }

  void InspectAlone() {
    AttentionInspect(Inputs(), options_,
                     TensorView<const float, 3>(Outputs().logsumexp),
                     Statistics());
  }

  // Operations of `products` matrix products of scores' size; a causal mask
  // leaves half of them.
  double Operations(int products) const {
    return (shape_.causal ? 0.5 : 1.0) * 2.0 * products *
           static_cast<double>(Rows()) *
           static_cast<double>(shape_.kv_len * shape_.head_dim);
  }

 private:
  int64_t Rows() const {
    return shape_.batch * shape_.heads * shape_.query_len;
  }
  int64_t Keys() const { return shape_.batch * shape_.heads * shape_.kv_len; }

  static std::vector<int32_t> GroupIds(int64_t len) {
    std::vector<int32_t> ids(static_cast<std::size_t>(len));
    for (int64_t i = 0; i < len; ++i) {
      ids[static_cast<std::size_t>(i)] =
          static_cast<int32_t>(i * kGroups / len);
    }
    return ids;
  }

  TensorView<float, 4> OfQuery(std::vector<float>& data) const {
    return Contiguous(data.data(), {shape_.batch, shape_.heads,
                                    shape_.query_len, shape_.head_dim});
  }
  TensorView<float, 4> OfKey(std::vector<float>& data) const {
    return Contiguous(data.data(), {shape_.batch, shape_.heads, shape_.kv_len,
                                    shape_.head_dim});
  }

  AttentionInputs<float> Inputs() {
    return {OfQuery(query_), OfKey(key_), OfKey(value_)};
  }

  AttentionOutputs<float> Outputs() {
    return {OfQuery(out_),
            Contiguous(logsumexp_.data(),
                       {shape_.batch, shape_.heads, shape_.query_len})};
  }

  // Entropy, key_mass, the top 8 and a 16 x 16 pooled map.
  Inspection Statistics() {
    Inspection inspection;
    inspection.entropy = Contiguous(
        entropy_.data(), {shape_.batch, shape_.heads, shape_.query_len});
    inspection.key_mass = Contiguous(
        key_mass_.data(), {shape_.batch, shape_.heads, shape_.kv_len});
    inspection.top_keys = Contiguous(
        top_keys_.data(), {shape_.batch, shape_.heads, shape_.query_len, kTop});
    inspection.top_weights =
        Contiguous(top_weights_.data(),
                   {shape_.batch, shape_.heads, shape_.query_len, kTop});
    inspection.query_group = query_group_;
    inspection.key_group = key_group_;
    inspection.pooled = Contiguous(
        pooled_.data(), {shape_.batch, shape_.heads, kGroups, kGroups});
    return inspection;
  }

  Shape shape_;
  std::vector<float> query_, key_, value_, out_grad_;
  std::vector<float> out_, logsumexp_;
  std::vector<float> query_grad_, key_grad_, value_grad_;
  std::vector<float> entropy_, key_mass_;
  std::vector<int64_t> top_keys_;
  std::vector<float> top_weights_;
  std::vector<int32_t> query_group_, key_group_;
  std::vector<float> pooled_;
  std::unique_ptr<Mask> mask_;
  AttentionOptions options_;
};

double SecondsOf(Workload& workload, void (Workload::*work)()) {
  const auto start = std::chrono::steady_clock::now();
  (workload.*work)();
  const std::chrono::duration<double> elapsed =
      std::chrono::steady_clock::now() - start;
  return elapsed.count();
}

// Times `work`, which does `products` products.
void Share(benchmark::State& state, const Shape& shape,
           void (Workload::*work)(), int products) {
  Workload workload(shape);
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
void TimesForward(benchmark::State& state, const Shape& shape,
                  void (Workload::*work)()) {
  Workload workload(shape);
  workload.Forward();
  double forward = 0.0;
  double seconds = 0.0;
  for (auto _ : state) {
    forward += SecondsOf(workload, &Workload::Forward);
    const double elapsed = SecondsOf(workload, work);
    state.SetIterationTime(elapsed);
    seconds += elapsed;
  }
  state.counters["times_forward"] = seconds / forward;
}

void Register(const std::string& name, const Shape& shape) {
  const auto add = [](const std::string& full_name, auto run) {
    benchmark::RegisterBenchmark(full_name.c_str(), run)
        ->UseManualTime()
        ->Unit(benchmark::kMillisecond)
        ->ReportAggregatesOnly();
  };
  add("Forward/" + name, [shape](benchmark::State& state) {
    Share(state, shape, &Workload::Forward, 2);
  });
  add("Backward/" + name, [shape](benchmark::State& state) {
    Share(state, shape, &Workload::Backward, 5);
  });
  add("ForwardAndInspect/" + name, [shape](benchmark::State& state) {
    TimesForward(state, shape, &Workload::ForwardAndInspect);
  });
  add("Inspect/" + name, [shape](benchmark::State& state) {
    TimesForward(state, shape, &Workload::InspectAlone);
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
