#ifndef KEYLENS_SYSTEMS_CLASSIFIER_TRAINING_EPOCH_ORDER_H_
#define KEYLENS_SYSTEMS_CLASSIFIER_TRAINING_EPOCH_ORDER_H_

#include <cstdint>

namespace keylens::classifier {

// Which of `size` pictures (1 to 2^32) is the n-th example of a run: every
// epoch of `size` examples visits each picture once, in an order of its own. A
// function of its arguments alone; nothing is kept.
uint64_t PictureOf(uint64_t example, uint64_t size, uint64_t seed);

}  // namespace keylens::classifier

#endif  // KEYLENS_SYSTEMS_CLASSIFIER_TRAINING_EPOCH_ORDER_H_
