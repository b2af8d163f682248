#ifndef KEYLENS_SYSTEMS_CLASSIFIER_PREDICT_H_
#define KEYLENS_SYSTEMS_CLASSIFIER_PREDICT_H_

#include <cstdint>
#include <span>
#include <vector>

#include "src/image/image.h"
#include "src/models/vit/inference_model.h"

namespace keylens::classifier {

// A framed picture as the network takes it: [channels, size, size].
std::vector<float> PlanesOf(const Image& picture,
                            const ClassifierConfig& config);

// For each framed picture the probability of each class, the mean over its
// views, in as many threads as there are cores. What a picture gets does not
// depend on the others.
std::vector<std::vector<float>> Probabilities(const InferenceModel& model,
                                              std::span<const Image> pictures);

// The first of the largest.
int32_t BestClass(std::span<const float> probabilities);

}  // namespace keylens::classifier

#endif  // KEYLENS_SYSTEMS_CLASSIFIER_PREDICT_H_
