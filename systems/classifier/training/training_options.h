#ifndef KEYLENS_SYSTEMS_CLASSIFIER_TRAINING_TRAINING_OPTIONS_H_
#define KEYLENS_SYSTEMS_CLASSIFIER_TRAINING_TRAINING_OPTIONS_H_

#include <cstdint>

#include "src/models/vit/config.h"
#include "systems/classifier/training/augment.h"

namespace keylens::classifier {

struct ClassifierTraining {
  ClassifierConfig config;
  uint64_t seed =
      0;  // the run's: of the starting weights and the order of the pictures
  Augmentation augmentation;
  double label_smoothing = 0.1;
  // Branches in bfloat16; see ClassifierModelImpl::set_branch_type.
  bool bfloat16 = false;
  int64_t held_out = 0;  // so many pictures are not learnt from but measured on
};

}  // namespace keylens::classifier

#endif  // KEYLENS_SYSTEMS_CLASSIFIER_TRAINING_TRAINING_OPTIONS_H_
