#ifndef KEYLENS_SYSTEMS_CLASSIFIER_TRAINING_PICTURE_BATCH_H_
#define KEYLENS_SYSTEMS_CLASSIFIER_TRAINING_PICTURE_BATCH_H_

#include <torch/torch.h>

#include <cstdint>
#include <span>

#include "src/image/image.h"
#include "src/models/vit/config.h"

namespace keylens::classifier {

// The floats of one entry of a batch.
std::span<float> RowOf(torch::Tensor& batch, int64_t row);

// Framed pictures as the module takes them: [n, channels, size, size].
torch::Tensor PictureBatch(std::span<const Image> pictures,
                           const ClassifierConfig& config);

}  // namespace keylens::classifier

#endif  // KEYLENS_SYSTEMS_CLASSIFIER_TRAINING_PICTURE_BATCH_H_
