#include "src/bench/machine_peak.h"

// Compiled once for each instruction set.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "src/bench/machine_peak.cc"
#include <hwy/foreach_target.h>  // before the headers that are compiled for each
#include <strings.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <stdexcept>

#include "src/attention/plan/aligned_array.h"
#include "src/attention/plan/parallel.h"
#include "src/attention/tile/lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace keylens::internal::HWY_NAMESPACE {

// `steps` times 12 independent multiply-adds: enough for two a cycle that take
// up to six cycles each. Returns the number of floating-point operations.
// `sink` keeps the compiler from leaving them out.
double MultiplyAdd(int64_t steps, float* sink) {
  constexpr int kChains = 12;
  const FloatTag d;
  // x -> x / 2 + 1/2 stays near 1.
  const Vec half = hn::Set(d, sink[0]);
  Vec sums[kChains];
  for (int i = 0; i < kChains; ++i) {
    sums[i] = hn::Set(d, 1.0f + static_cast<float>(i));
  }
  for (int64_t step = 0; step < steps; ++step) {
    for (int i = 0; i < kChains; ++i) sums[i] = hn::MulAdd(sums[i], half, half);
  }
  Vec total = sums[0];
  for (int i = 1; i < kChains; ++i) total = hn::Add(total, sums[i]);
  sink[1] = hn::GetLane(total);
  return 2.0 * kChains * static_cast<double>(kLanes * steps);
}

// Reads `size` floats, a multiple of 4 kLanes, and returns their sum.
float ReadAll(const float* data, int64_t size) {
  const FloatTag d;
  Vec sums[4];
  for (Vec& sum : sums) sum = hn::Zero(d);
  for (int64_t i = 0; i < size; i += 4 * kLanes) {
    for (int j = 0; j < 4; ++j) {
      sums[j] = hn::Add(sums[j], hn::Load(d, data + i + j * kLanes));
    }
  }
  const Vec total =
      hn::Add(hn::Add(sums[0], sums[1]), hn::Add(sums[2], sums[3]));
  return hn::GetLane(hn::SumOfLanes(d, total));
}

const char* NameOfTarget() { return hwy::TargetName(HWY_TARGET); }

}  // namespace keylens::internal::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace keylens {
namespace internal {
namespace {

HWY_EXPORT(MultiplyAdd);
HWY_EXPORT(ReadAll);
HWY_EXPORT(NameOfTarget);

double SecondsOf(const std::function<void()>& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  const std::chrono::duration<double> elapsed =
      std::chrono::steady_clock::now() - start;
  return elapsed.count();
}

}  // namespace
}  // namespace internal

double MeasureFmaPeakGflops(int num_threads, double seconds) {
  constexpr int64_t kSteps = 2'000'000;  // some milliseconds
  const int threads = internal::ResolveThreads(num_threads);
  double best = 0.0;
  double spent = 0.0;
  while (spent < seconds) {
    double operations = 0.0;
    const double elapsed = internal::SecondsOf([&] {
      internal::ParallelFor(threads, threads, [&](int64_t unit, int) {
        float sink[2] = {0.5f, 0.0f};
        const double own =
            HWY_DYNAMIC_DISPATCH(internal::MultiplyAdd)(kSteps, sink);
        if (unit == 0) operations = own * threads;
      });
    });
    best = std::max(best, operations / elapsed * 1e-9);
    spent += elapsed;
  }
  return best;
}

struct ReadPass::State {
  explicit State(int num_threads)
      : threads(internal::ResolveThreads(num_threads)),
        share(kFloats / threads / 256 * 256),
        data(kFloats),
        sums(static_cast<std::size_t>(threads)) {
    std::fill_n(data.get(), kFloats, 1.0f);
  }

  static constexpr int64_t kFloats = int64_t{64} << 20;
  int threads;
  int64_t share;  // floats of one thread
  internal::AlignedArray<float> data;
  std::vector<float> sums;
};

ReadPass::ReadPass(int num_threads)
    : state_(std::make_unique<State>(num_threads)) {}
ReadPass::~ReadPass() = default;

void ReadPass::Run() {
  const State& state = *state_;
  internal::ParallelFor(state.threads, state.threads, [&](int64_t unit, int) {
    state_->sums[static_cast<std::size_t>(unit)] = HWY_DYNAMIC_DISPATCH(
        internal::ReadAll)(state.data.get() + unit * state.share, state.share);
  });
}

double ReadPass::Bytes() const {
  return static_cast<double>(state_->share * state_->threads) * sizeof(float);
}

double MeasureReadBandwidthGbs(int num_threads) {
  constexpr int kRounds = 5;
  ReadPass pass(num_threads);
  double best = 0.0;
  for (int round = 0; round < kRounds; ++round) {
    const double elapsed = internal::SecondsOf([&] { pass.Run(); });
    best = std::max(best, pass.Bytes() / elapsed * 1e-9);
  }
  return best;
}

std::string InstructionSetName() {
  return HWY_DYNAMIC_DISPATCH(internal::NameOfTarget)();
}

void UseInstructionSet(const std::string& name) {
  std::string known;
  const int64_t targets = hwy::SupportedTargets() & HWY_TARGETS;
  for (int64_t rest = targets; rest != 0; rest &= rest - 1) {
    const int64_t target = rest & -rest;
    const std::string target_name = hwy::TargetName(target);
    if (strcasecmp(name.c_str(), target_name.c_str()) == 0) {
      return hwy::SetSupportedTargetsForTest(target);
    }
    known += (known.empty() ? "" : ", ") + target_name;
  }
  throw std::invalid_argument("no instruction set " + name + " here, only " +
                              known);
}

}  // namespace keylens
#endif  // HWY_ONCE
