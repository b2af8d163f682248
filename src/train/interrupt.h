#ifndef KEYLENS_SRC_TRAIN_INTERRUPT_H_
#define KEYLENS_SRC_TRAIN_INTERRUPT_H_

#include <csignal>

namespace keylens::train {

// While one of these lives, Ctrl-C (SIGINT) and SIGTERM set a flag instead of
// ending the program; a second one ends it as usual. One at a time.
class InterruptFlag {
 public:
  InterruptFlag();
  ~InterruptFlag();
  InterruptFlag(const InterruptFlag&) = delete;
  InterruptFlag& operator=(const InterruptFlag&) = delete;

  bool raised() const;

 private:
  struct sigaction old_interrupt_ = {};
  struct sigaction old_terminate_ = {};
};

}  // namespace keylens::train

#endif  // KEYLENS_SRC_TRAIN_INTERRUPT_H_
