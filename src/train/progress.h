#ifndef KEYLENS_SRC_TRAIN_PROGRESS_H_
#define KEYLENS_SRC_TRAIN_PROGRESS_H_

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

namespace keylens::train {

// How far a run has come.
struct ProgressReport {
  int64_t step = 0;
  double loss = 0;
  double examples_per_second = 0;
  std::string examples_name;           // "pictures"
  std::optional<double> share_done;    // in [0, 1]; none where no end is known
  std::optional<double> seconds_left;  // likewise
};

// Whoever shows a run to a person. The trainer itself prints nothing.
using ProgressSink = std::function<void(const ProgressReport&)>;
using LineSink = std::function<void(const std::string&)>;

}  // namespace keylens::train

#endif  // KEYLENS_SRC_TRAIN_PROGRESS_H_
