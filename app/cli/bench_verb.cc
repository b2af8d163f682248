// keylens bench: what this machine can do, and the engine as a share of it.

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "app/cli/verb.h"
#include "src/attention/machine_peak.h"
#include "src/attention/workload.h"

namespace keylens::cli {
namespace {

constexpr int kRounds = 9;

struct Options {
  int threads = 0;
  bool json = false;
};

struct PassTime {
  std::string name;
  int products;  // matrix products that its gflops count; 0: compared by time
  void (AttentionWorkload::*run)();
  std::vector<double> seconds;
  double median = 0;
};

double SecondsOf(AttentionWorkload& workload,
                 void (AttentionWorkload::*run)()) {
  const auto start = std::chrono::steady_clock::now();
  (workload.*run)();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start)
      .count();
}

// Passes in turns, so that what else the machine does falls on all alike.
std::vector<PassTime> TimePasses(AttentionWorkload& workload) {
  std::vector<PassTime> passes = {
      {"forward", 2, &AttentionWorkload::Forward, {}, 0},
      {"backward", 5, &AttentionWorkload::Backward, {}, 0},
      {"inspect", 0, &AttentionWorkload::ForwardAndInspect, {}, 0}};
  for (int round = -1; round < kRounds; ++round) {  // the first warms up
    for (PassTime& pass : passes) {
      const double seconds = SecondsOf(workload, pass.run);
      if (round >= 0) pass.seconds.push_back(seconds);
    }
  }
  for (PassTime& pass : passes) {
    auto middle = pass.seconds.begin() + kRounds / 2;
    std::nth_element(pass.seconds.begin(), middle, pass.seconds.end());
    pass.median = *middle;
  }
  return passes;
}

nlohmann::json Describe(const PassTime& pass, double forward_seconds,
                        const AttentionWorkload& workload, double peak) {
  nlohmann::json result = {{"pass", pass.name},
                           {"milliseconds", pass.median * 1e3}};
  if (pass.products == 0) {
    result["times_forward"] = pass.median / forward_seconds;
    return result;
  }
  const double gflops = workload.Operations(pass.products) / pass.median * 1e-9;
  result["gflops"] = gflops;
  result["share_of_peak"] = gflops / peak;
  return result;
}

void Print(const nlohmann::json& report) {
  std::cout << fmt::format(
      "instruction set  {}\nFMA peak         {:.0f} GFLOP/s\n"
      "read bandwidth   {:.1f} GB/s\n\n"
      "attention, 8 heads, 1024 x 1024, head_dim 64, float\n",
      report["instruction_set"].get<std::string>(),
      report["fma_peak_gflops"].get<double>(),
      report["read_bandwidth_gbs"].get<double>());
  for (const nlohmann::json& pass : report["attention"]) {
    const std::string name = pass["pass"];
    const double milliseconds = pass["milliseconds"];
    if (pass.contains("gflops")) {
      std::cout << fmt::format(
          "  {:<9} {:8.2f} ms  {:6.0f} GFLOP/s  {:3.0f} "
          "% of the peak\n",
          name, milliseconds, pass["gflops"].get<double>(),
          100 * pass["share_of_peak"].get<double>());
    } else {
      std::cout << fmt::format(
          "  {:<9} {:8.2f} ms  {:.2f} times the forward pass (with entropy, "
          "key mass, top 8, 16 x 16 map)\n",
          name, milliseconds, pass["times_forward"].get<double>());
    }
  }
}

void Run(const Options& options) {
  AttentionWorkload workload(
      {1, 8, 1024, 1024, 64, /*causal=*/false, options.threads});
  double peak = MeasureFmaPeakGflops(options.threads);
  const std::vector<PassTime> passes = TimePasses(workload);
  peak = std::max(peak, MeasureFmaPeakGflops(options.threads));
  nlohmann::json report = {
      {"instruction_set", InstructionSetName()},
      {"fma_peak_gflops", peak},
      {"read_bandwidth_gbs", MeasureReadBandwidthGbs(options.threads)},
      {"attention", nlohmann::json::array()}};
  for (const PassTime& pass : passes) {
    report["attention"].push_back(
        Describe(pass, passes.front().median, workload, peak));
  }
  if (options.json) {
    std::cout << report.dump(2) << '\n';
  } else {
    Print(report);
  }
}

}  // namespace

void AddBenchVerb(CLI::App& app) {
  CLI::App* verb = app.add_subcommand(
      "bench", "this machine's peak, and the engine as a share of it");
  auto options = std::make_shared<Options>();
  verb->add_option("--threads", options->threads, "0: all")
      ->check(CLI::Range(0, 1024))
      ->capture_default_str();
  verb->add_flag("--json", options->json, "print JSON");
  verb->callback([options] { Run(*options); });
}

}  // namespace keylens::cli
