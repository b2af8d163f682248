#ifndef KEYLENS_SRC_PARALLEL_STOP_ON_SIGNALS_H_
#define KEYLENS_SRC_PARALLEL_STOP_ON_SIGNALS_H_

#include <array>
#include <csignal>

#include "src/parallel/stop_token.h"

namespace keylens {

// While one of these lives, Ctrl-C (SIGINT), SIGTERM and SIGHUP (the terminal
// was closed) ask its tokens to stop instead of ending the program; a second
// signal of the same kind ends it as usual. A signal that was ignored before,
// as nohup has it, stays so. For front ends: a library does not touch the
// signals of its caller. One at a time; throws std::logic_error for a second.
class StopOnSignals {
 public:
  // Asks the tokens of `source`, which may have been given out before.
  explicit StopOnSignals(StopSource source = {});
  ~StopOnSignals();
  StopOnSignals(const StopOnSignals&) = delete;
  StopOnSignals& operator=(const StopOnSignals&) = delete;

  StopToken token() const { return source_.token(); }

  // The signal that came, 0 for none.
  int signal() const;

 private:
  static constexpr std::array<int, 3> kSignals = {SIGINT, SIGTERM, SIGHUP};

  StopSource source_;
  std::array<struct sigaction, kSignals.size()> before_ = {};
};

}  // namespace keylens

#endif  // KEYLENS_SRC_PARALLEL_STOP_ON_SIGNALS_H_
