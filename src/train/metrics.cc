#include "src/train/metrics.h"

#include <cerrno>
#include <cmath>
#include <cstring>
#include <nlohmann/json.hpp>
#include <string>

#include "src/base/error.h"
#include "src/train/json_lines.h"

namespace keylens::train {
namespace {

// JSON has no NaN.
nlohmann::ordered_json Number(double value) {
  if (!std::isfinite(value)) return nullptr;
  return value;
}

std::string Line(const Metrics& metrics) {
  const nlohmann::ordered_json json = {
      {"step", metrics.step},
      {"examples", metrics.examples},
      {"loss", Number(metrics.loss)},
      {"learning_rate", Number(metrics.learning_rate)},
      {"gradient_norm", Number(metrics.gradient_norm)},
      {"examples_per_second", Number(metrics.examples_per_second)},
      {"seconds", Number(metrics.seconds)}};
  return json.dump() + "\n";
}

}  // namespace

MetricsFile::MetricsFile(const std::filesystem::path& path, int64_t last_step)
    : path_(path) {
  KeepLinesUpTo(path, last_step);
  stream_ = std::fopen(path.c_str(), "a");
  if (stream_ == nullptr) {
    throw Error(path.string() + ": cannot be written: " + std::strerror(errno));
  }
}

MetricsFile::~MetricsFile() { std::fclose(stream_); }

void MetricsFile::Append(const Metrics& metrics) {
  const std::string line = Line(metrics);
  if (std::fwrite(line.data(), 1, line.size(), stream_) != line.size() ||
      std::fflush(stream_) != 0) {
    throw Error(path_.string() +
                ": cannot be written: " + std::strerror(errno));
  }
}

}  // namespace keylens::train
