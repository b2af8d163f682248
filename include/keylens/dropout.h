#ifndef KEYLENS_DROPOUT_H_
#define KEYLENS_DROPOUT_H_

#include <cstdint>

namespace keylens {

// Dropout of attention weights, for training: each weight is set to 0 with
// that probability, and the others are divided by 1 - probability. Which ones
// is a function of the seed and the weight's place alone, the same in forward
// and backward, for any number of threads, on any machine. Use another seed in
// each step and layer.
struct Dropout {
  float probability = 0.0f;  // in [0, 1); 0: none
  uint64_t seed = 0;
};

// Whether a weight stays. 31 random bits are compared with the probability.
bool DropoutKeeps(const Dropout& dropout, int64_t batch, int64_t head,
                  int64_t query, int64_t key);

}  // namespace keylens

#endif  // KEYLENS_DROPOUT_H_
