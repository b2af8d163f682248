// keylens bench: what this machine can do, and the engine as a share of it.

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "app/cli/option_checks.h"
#include "app/cli/pass_time.h"
#include "app/cli/verb.h"
#include "src/base/error.h"
#include "src/bench/machine_peak.h"
#include "src/bench/workload.h"

namespace keylens::cli {
namespace {

struct Options {
  int threads = 0;
  bool json = false;
};

// What `keylens bench attention` is asked to time.
struct AttentionOptionsText {
  WorkloadShape shape;
  std::string dtype = "float32";
  std::string pass = "forward";
  std::string simd;
  int64_t pooled_groups = 16;
  bool json = false;
};

void Print(const nlohmann::ordered_json& report) {
  std::cout << fmt::format(
      "instruction set  {}\nFMA peak         {:.0f} GFLOP/s\n"
      "read bandwidth   {:.1f} GB/s\n\n"
      "attention, 8 heads, 1024 x 1024, head_dim 64, float\n",
      report["instruction_set"].get<std::string>(),
      report["fma_peak_gflops"].get<double>(),
      report["read_bandwidth_gbs"].get<double>());
  for (const nlohmann::ordered_json& pass : report["attention"])
    std::cout << LineOf(pass);
}

void Run(const Options& options) {
  constexpr int64_t kPooledGroups = 16;
  WorkloadShape shape;
  shape.num_threads = options.threads;
  const auto workload = MakeWorkload<float>(shape, kPooledGroups);
  double peak = MeasureFmaPeakGflops(options.threads);
  std::vector<PassTime> passes = PassesOf(*workload, kPooledGroups);
  TimePasses(passes);
  peak = std::max(peak, MeasureFmaPeakGflops(options.threads));
  nlohmann::ordered_json report = {
      {"instruction_set", InstructionSetName()},
      {"fma_peak_gflops", peak},
      {"read_bandwidth_gbs", MeasureReadBandwidthGbs(options.threads)},
      {"attention", nlohmann::ordered_json::array()}};
  for (const PassTime& pass : passes) {
    report["attention"].push_back(Describe(pass, passes.front().median, peak));
  }
  if (options.json) {
    std::cout << report.dump(2) << '\n';
  } else {
    Print(report);
  }
}

CacheElement ElementOf(const std::string& dtype) {
  if (dtype == "bfloat16") return CacheElement::kBFloat16;
  if (dtype == "float16") return CacheElement::kFloat16;
  if (dtype == "int8") return CacheElement::kInt8;
  return CacheElement::kFloat32;
}

std::unique_ptr<AttentionWorkload> WorkloadOf(
    const AttentionOptionsText& options) {
  if (options.dtype == "int8")
    throw UsageError("--dtype int8: only with --pass decode");
  const auto& [shape, groups] = std::tie(options.shape, options.pooled_groups);
  try {
    if (options.dtype == "bfloat16")
      return MakeWorkload<BFloat16>(shape, groups);
    if (options.dtype == "float16") return MakeWorkload<Float16>(shape, groups);
    return MakeWorkload<float>(shape, groups);
  } catch (const std::invalid_argument& error) {
    throw UsageError(std::string("--") + error.what());
  }
}

nlohmann::ordered_json TimeDecode(const AttentionOptionsText& options) {
  DecodeWorkload workload(options.shape, ElementOf(options.dtype));
  ReadPass read(options.shape.num_threads);
  std::vector<PassTime> passes = {{"decode", 0, [&] { workload.Decode(); }},
                                  {"read", 0, [&] { read.Run(); }}};
  TimePasses(passes);
  const double bandwidth = read.Bytes() / passes[1].median * 1e-9;
  const double speed = workload.Bytes() / passes[0].median * 1e-9;
  return {{"pass", "decode"},
          {"milliseconds", passes[0].median * 1e3},
          {"gb_per_second", speed},
          {"bandwidth_gb_per_second", bandwidth},
          {"share_of_bandwidth", speed / bandwidth}};
}

nlohmann::ordered_json TimePass(const AttentionOptionsText& options) {
  const auto workload = WorkloadOf(options);
  std::vector<PassTime> passes = PassesOf(*workload, options.pooled_groups);
  std::erase_if(passes, [&](const PassTime& pass) {
    return pass.name != "forward" && pass.name != options.pass;
  });
  const int threads = options.shape.num_threads;
  double peak = MeasureFmaPeakGflops(threads);
  TimePasses(passes);
  peak = std::max(peak, MeasureFmaPeakGflops(threads));
  return Describe(passes.back(), passes.front().median, peak);
}

void UseSimd(const std::string& simd) {
  if (simd.empty()) return;
  try {
    UseInstructionSet(simd);
  } catch (const std::invalid_argument& error) {
    throw UsageError(std::string("--simd: ") + error.what());
  }
}

void RunAttention(const AttentionOptionsText& options) {
  UseSimd(options.simd);
  nlohmann::ordered_json report =
      options.pass == "decode" ? TimeDecode(options) : TimePass(options);
  if (!options.json) {
    std::cout << LineOf(report);
    return;
  }
  report["instruction_set"] = InstructionSetName();
  std::cout << report.dump(2) << '\n';
}

void AddAttention(CLI::App& bench) {
  CLI::App* verb = bench.add_subcommand(
      "attention",
      "one pass of attention at any shape: the median of 9 or more");
  auto options = std::make_shared<AttentionOptionsText>();
  WorkloadShape& shape = options->shape;
  const auto add = [&](const char* name, int64_t& value, const char* text,
                       int64_t least) {
    verb->add_option(name, value, text)
        ->check(WholeNumber(least, int64_t{1} << 24))
        ->capture_default_str();
  };
  add("--batch", shape.batch, "", 1);
  add("--heads", shape.heads, "", 1);
  add("--kv-heads", shape.kv_heads, "0: as heads", 0);
  add("--query-len", shape.query_len, "of decode always 1", 1);
  add("--kv-len", shape.kv_len, "", 1);
  add("--head-dim", shape.head_dim, "", 1);
  add("--value-dim", shape.value_dim, "0: as head-dim", 0);
  add("--pooled-groups", options->pooled_groups,
      "side of the pooled map of --pass inspect", 1);
  verb->add_flag("--channels-first", shape.channels_first,
                 "head_dim outermost of the last two axes");
  verb->add_option("--mask", shape.mask,
                   "none, causal, window:N, prefix:N, documents:N, padding")
      ->capture_default_str();
  verb->add_option("--dtype", options->dtype)
      ->check(CLI::IsMember({"float32", "bfloat16", "float16", "int8"}))
      ->capture_default_str();
  verb->add_option("--pass", options->pass)
      ->check(CLI::IsMember(
          {"forward", "backward", "inspect", "weights", "decode"}))
      ->capture_default_str();
  verb->add_option("--threads", shape.num_threads, "0: all")
      ->check(WholeNumber(0, 1024))
      ->capture_default_str();
  verb->add_option("--simd", options->simd,
                   "instruction set: AVX2, ... (default: the best there is)");
  verb->add_flag("--json", options->json, "print JSON");
  verb->callback([options] { RunAttention(*options); });
}

}  // namespace

void AddBenchVerb(CLI::App& app) {
  CLI::App* verb = app.add_subcommand(
      "bench", "this machine's peak, and the engine as a share of it");
  auto options = std::make_shared<Options>();
  verb->add_option("--threads", options->threads, "0: all")
      ->check(WholeNumber(0, 1024))
      ->capture_default_str();
  verb->add_flag("--json", options->json, "print JSON");
  AddAttention(*verb);
  verb->callback([verb, options] {
    if (verb->get_subcommands().empty()) Run(*options);
  });
}

}  // namespace keylens::cli
