#ifndef KEYLENS_SRC_TRAIN_METRICS_H_
#define KEYLENS_SRC_TRAIN_METRICS_H_

#include <cstdint>
#include <cstdio>
#include <filesystem>

namespace keylens::train {

// One line of metrics.jsonl.
struct Metrics {
  int64_t step = 0;      // steps done
  int64_t examples = 0;  // examples seen
  double loss = 0;       // mean since the line before
  double learning_rate = 0;
  double gradient_norm = 0;  // before clipping, mean since the line before
  double examples_per_second = 0;
  double seconds = 0;  // of training, over all sittings
};

// metrics.jsonl: one JSON object a line, in the order of the steps, as if the
// run had never been interrupted.
class MetricsFile {
 public:
  // Keeps the lines of `path` up to `last_step` and drops those that a lost
  // sitting wrote after it. Throws Error where the file cannot be written.
  MetricsFile(const std::filesystem::path& path, int64_t last_step);
  ~MetricsFile();
  MetricsFile(const MetricsFile&) = delete;
  MetricsFile& operator=(const MetricsFile&) = delete;

  void Append(const Metrics& metrics);

 private:
  std::filesystem::path path_;
  std::FILE* stream_ = nullptr;
};

}  // namespace keylens::train

#endif  // KEYLENS_SRC_TRAIN_METRICS_H_
