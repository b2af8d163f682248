#ifndef KEYLENS_SRC_TRAIN_PROGRESS_LINE_H_
#define KEYLENS_SRC_TRAIN_PROGRESS_LINE_H_

#include <cstdint>
#include <optional>
#include <string>

namespace keylens::train {

// What a line of progress says.
struct ProgressReport {
  int64_t step = 0;
  double loss = 0;
  double examples_per_second = 0;
  std::string examples_name;           // "pictures"
  std::optional<double> share_done;    // in [0, 1]; none where no end is known
  std::optional<double> seconds_left;  // likewise
};

// "step 1200  loss 0.0712  81 pictures/s  12 min left", with a bar in front
// where the end is known.
std::string ProgressText(const ProgressReport& report);

// Progress on standard error: one line that is redrawn on a terminal, a new
// line once a minute elsewhere.
class ProgressLine {
 public:
  ProgressLine();
  ~ProgressLine();  // ends the line

  void Show(const ProgressReport& report);

  // Prints `text` on a line of its own.
  void Note(const std::string& text);

 private:
  bool terminal_;
  bool drawn_ = false;
  double next_time_ = 0;  // seconds of the steady clock
};

}  // namespace keylens::train

#endif  // KEYLENS_SRC_TRAIN_PROGRESS_LINE_H_
