#ifndef KEYLENS_SYSTEMS_CLASSIFIER_TRAINING_AUGMENT_H_
#define KEYLENS_SYSTEMS_CLASSIFIER_TRAINING_AUGMENT_H_

#include <cstdint>
#include <span>

#include "src/image/image.h"
#include "src/random/random.h"
#include "systems/classifier/picture_planes.h"

namespace keylens::classifier {

// How pictures are changed each time that they are learnt from.
struct Augmentation {
  int64_t shift = 2;   // at most so many pixels, each way and in both axes
  double flip = 0.5;   // how often left and right change places
  double erase = 0.1;  // how often a rectangle is taken out
};

// Writes the picture as planes [channels, height, width], as WritePlanes does,
// changed by what `random` draws. What a shift brings in is black;
// what is taken out (2 to 20 % of the picture; Zhong et al.: Random erasing
// data augmentation) becomes 0, the mean of all pictures.
void WriteAugmented(const Image& image, const Normalisation& normalisation,
                    const Augmentation& augmentation, Random& random,
                    std::span<float> planes);

}  // namespace keylens::classifier

#endif  // KEYLENS_SYSTEMS_CLASSIFIER_TRAINING_AUGMENT_H_
