#ifndef KEYLENS_APP_CLI_PROGRESS_LINE_H_
#define KEYLENS_APP_CLI_PROGRESS_LINE_H_

#include <string>

#include "src/train/progress.h"

namespace keylens::cli {

// "step 1200  loss 0.0712  81 pictures/s  12 min left", with a bar in front
// where the end is known.
std::string ProgressText(const train::ProgressReport& report);

// Progress on standard error: one line that is redrawn on a terminal, a new
// line once a minute elsewhere.
class ProgressLine {
 public:
  ProgressLine();
  ~ProgressLine() { End(); }
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  void Show(const train::ProgressReport& report);

  // What follows stands on a line of its own.
  void End();

  // Prints `text` on a line of its own.
  void Note(const std::string& text);

 private:
  bool terminal_;
  bool drawn_ = false;
  double next_time_ = 0;  // seconds of the steady clock
};

}  // namespace keylens::cli

#endif  // KEYLENS_APP_CLI_PROGRESS_LINE_H_
