#ifndef KEYLENS_APP_CLI_PASS_TIME_H_
#define KEYLENS_APP_CLI_PASS_TIME_H_

#include <cstdint>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "src/bench/workload.h"

// What `keylens bench` times, and how it tells.

namespace keylens::cli {

struct PassTime {
  std::string name;
  double operations;  // 0: compared by time
  std::function<void()> run;
  std::string reports = {};  // what it gives beside the output
  std::vector<double> seconds = {};
  double median = 0;  // of seconds
};

// Runs the passes in turns, so that what else the machine does falls on all
// alike, and fills in their seconds and median.
void TimePasses(std::vector<PassTime>& passes);

// Forward, backward, inspect and weights of a workload, which they refer to.
std::vector<PassTime> PassesOf(AttentionWorkload& workload,
                               int64_t pooled_groups);

// A timed pass as JSON: milliseconds, and either GFLOP/s as a share of `peak`
// or the time as a multiple of `forward_seconds`.
nlohmann::ordered_json Describe(const PassTime& pass, double forward_seconds,
                                double peak);

// A line of text for such a description, or for that of a decoding pass.
std::string LineOf(const nlohmann::ordered_json& pass);

}  // namespace keylens::cli

#endif  // KEYLENS_APP_CLI_PASS_TIME_H_
