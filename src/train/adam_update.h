#ifndef KEYLENS_SRC_TRAIN_ADAM_UPDATE_H_
#define KEYLENS_SRC_TRAIN_ADAM_UPDATE_H_

#include <cstdint>

namespace keylens::train {

// The loops of the optimizer, over `count` consecutive elements. No torch here,
// so that they can be compiled with the options that let them be vectorised.

// sum += other, other = 0.
void AddAndClear(float* sum, float* other, int64_t count);

// In a fixed order of addition.
double SumOfSquares(const float* values, int64_t count);

// The numbers that all elements of one step of AdamW share.
struct AdamScalars {
  float gradient_scale;  // of clipping
  float decay;           // the weights are multiplied by it
  float beta1;
  float beta2;
  float step_size;       // learning rate / (1 - beta1^t)
  float variance_scale;  // 1 / (1 - beta2^t)
  float epsilon;
  float average_move;  // the share of the new weights in the moving average
};

struct AdamBuffers {
  float* value;
  float* gradient;
  float* first_moment;
  float* second_moment;
  float* average;
};

// One step of AdamW and of the moving average; sets the gradient to zero.
void UpdateAdam(const AdamScalars& scalars, const AdamBuffers& at,
                int64_t count);

}  // namespace keylens::train

#endif  // KEYLENS_SRC_TRAIN_ADAM_UPDATE_H_
