#ifndef KEYLENS_SYSTEMS_CLASSIFIER_PICTURE_PLANES_H_
#define KEYLENS_SYSTEMS_CLASSIFIER_PICTURE_PLANES_H_

#include <array>
#include <span>

#include "src/image/image.h"
#include "src/models/vit/config.h"

namespace keylens::classifier {

// How numbers of pixels become those that the network sees: (value / 255 -
// mean) / deviation.
struct Normalisation {
  float mean = 0.5f;
  float deviation = 0.5f;
};

Normalisation NormalisationOf(const ClassifierConfig& config);

// What the network sees of each of the 256 values.
std::array<float, 256> LevelsOf(const Normalisation& normalisation);

// Writes the picture as planes [channels, height, width].
void WritePlanes(const Image& image, const Normalisation& normalisation,
                 std::span<float> planes);

}  // namespace keylens::classifier

#endif  // KEYLENS_SYSTEMS_CLASSIFIER_PICTURE_PLANES_H_
