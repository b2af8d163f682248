#ifndef KEYLENS_SYSTEMS_CLASSIFIER_PREDICT_H_
#define KEYLENS_SYSTEMS_CLASSIFIER_PREDICT_H_

#include <torch/torch.h>

#include <cstdint>
#include <span>
#include <vector>

#include "src/image/image.h"
#include "src/models/vit/model.h"
#include "systems/classifier/training/augment.h"

namespace keylens::classifier {

Normalisation NormalisationOf(const ClassifierConfig& config);

// The floats of one entry of a batch.
std::span<float> RowOf(torch::Tensor& batch, int64_t row);

// Framed pictures as the network takes them: [n, channels, size, size].
torch::Tensor PictureBatch(std::span<const Image> pictures,
                           const ClassifierConfig& config);

// For each framed picture the probability of each class, the mean over its
// views. Runs in torch's threads; no gradients.
std::vector<std::vector<float>> Probabilities(ClassifierModelImpl& model,
                                              std::span<const Image> pictures);

// The first of the largest.
int32_t BestClass(std::span<const float> probabilities);

}  // namespace keylens::classifier

#endif  // KEYLENS_SYSTEMS_CLASSIFIER_PREDICT_H_
