#include "app/cli/pass_time.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstddef>

namespace keylens::cli {
namespace {

// A pass of a fraction of a millisecond needs more rounds before clocks and
// caches settle.
constexpr int kLeastRounds = 9;
constexpr double kLeastSeconds = 0.2;

double SecondsOf(const std::function<void()>& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start)
      .count();
}

}  // namespace

void TimePasses(std::vector<PassTime>& passes) {
  double spent = 0.0;
  for (int round = -1; round < kLeastRounds || spent < kLeastSeconds; ++round) {
    for (PassTime& pass : passes) {
      const double seconds = SecondsOf(pass.run);
      spent += seconds;
      if (round >= 0) pass.seconds.push_back(seconds);  // the first warms up
    }
  }
  for (PassTime& pass : passes) {
    auto middle = pass.seconds.begin() +
                  static_cast<std::ptrdiff_t>(pass.seconds.size() / 2);
    std::nth_element(pass.seconds.begin(), middle, pass.seconds.end());
    pass.median = *middle;
  }
}

std::vector<PassTime> PassesOf(AttentionWorkload& workload,
                               int64_t pooled_groups) {
  return {
      {"forward", workload.ForwardOperations(), [&] { workload.Forward(); }},
      {"backward", workload.BackwardOperations(), [&] { workload.Backward(); }},
      {"inspect", 0, [&] { workload.ForwardAndInspect(); },
       fmt::format("entropy, key mass, top 8, {0} x {0} map", pooled_groups)},
      {"weights", 0, [&] { workload.ForwardWithWeights(); },
       "the weights of 64 rows of each head"}};
}

nlohmann::ordered_json Describe(const PassTime& pass, double forward_seconds,
                                double peak) {
  nlohmann::ordered_json result = {{"pass", pass.name},
                                   {"milliseconds", pass.median * 1e3}};
  if (pass.operations == 0) {
    result["reports"] = pass.reports;
    result["times_forward"] = pass.median / forward_seconds;
    return result;
  }
  const double gflops = pass.operations / pass.median * 1e-9;
  result["gflops"] = gflops;
  result["fma_peak_gflops"] = peak;
  result["share_of_peak"] = gflops / peak;
  return result;
}

std::string LineOf(const nlohmann::ordered_json& pass) {
  const std::string name = pass["pass"];
  const double milliseconds = pass["milliseconds"];
  if (pass.contains("gflops")) {
    return fmt::format(
        "  {:<9} {:8.2f} ms  {:6.0f} GFLOP/s  {:3.0f} % of the peak\n", name,
        milliseconds, pass["gflops"].get<double>(),
        100 * pass["share_of_peak"].get<double>());
  }
  if (pass.contains("gb_per_second")) {
    return fmt::format(
        "  {:<9} {:8.2f} ms  {:6.1f} GB/s     {:3.0f} % of the bandwidth\n",
        name, milliseconds, pass["gb_per_second"].get<double>(),
        100 * pass["share_of_bandwidth"].get<double>());
  }
  return fmt::format(
      "  {:<9} {:8.2f} ms  {:.2f} times the forward pass (with {})\n", name,
      milliseconds, pass["times_forward"].get<double>(),
      pass["reports"].get<std::string>());
}

}  // namespace keylens::cli
