#ifndef KEYLENS_SRC_MODELS_VIT_TENSORS_H_
#define KEYLENS_SRC_MODELS_VIT_TENSORS_H_

#include <vector>

#include "src/models/vit/config.h"
#include "src/weights/weight_report.h"

namespace keylens::classifier {

// The weights of a classifier, as its torch module has them.
std::vector<TensorSpec> TensorsOf(const ClassifierConfig& config);

}  // namespace keylens::classifier

#endif  // KEYLENS_SRC_MODELS_VIT_TENSORS_H_
