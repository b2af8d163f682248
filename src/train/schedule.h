#ifndef KEYLENS_SRC_TRAIN_SCHEDULE_H_
#define KEYLENS_SRC_TRAIN_SCHEDULE_H_

#include <cstdint>

namespace keylens::train {

enum class DecayShape {
  kLinear,
  kCosine,  // half a period (Loshchilov, Hutter: SGDR): slow, fast, slow
};

// Linear warm-up, then constant, then a fall to nothing over the last part of a
// run whose end is known. The constant middle is what lets a run be stopped,
// prolonged or left going without having chosen its length beforehand.
struct Schedule {
  double learning_rate = 6e-4;
  int64_t warmup_steps = 500;
  double decay_share = 0.2;  // of the whole run; 0: no fall
  DecayShape decay_shape = DecayShape::kLinear;

  // `progress` is the part of the run that is done, in [0, 1]; 0 where the end
  // is not known.
  double LearningRate(int64_t step, double progress) const;
};

// The factor by which the moving average keeps its old value at `step`: it
// grows as (1 + n) / (10 + n), so that the random start is forgotten soon, up
// to `limit`.
double AverageDecay(int64_t step, double limit);

}  // namespace keylens::train

#endif  // KEYLENS_SRC_TRAIN_SCHEDULE_H_
