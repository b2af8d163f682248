#ifndef KEYLENS_SRC_TRAIN_CLOCK_H_
#define KEYLENS_SRC_TRAIN_CLOCK_H_

#include <chrono>

namespace keylens::train {

// Seconds on a clock that never goes back; only differences mean something.
inline double SteadySeconds() {
  return std::chrono::duration<double>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

}  // namespace keylens::train

#endif  // KEYLENS_SRC_TRAIN_CLOCK_H_
