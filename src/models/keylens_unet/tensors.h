#ifndef KEYLENS_SRC_MODELS_KEYLENS_UNET_TENSORS_H_
#define KEYLENS_SRC_MODELS_KEYLENS_UNET_TENSORS_H_

#include <vector>

#include "src/models/keylens_unet/config.h"
#include "src/weights/weight_report.h"

namespace keylens::generator {

// The weights of the two networks, each by the names within its own file, as
// the torch modules have them.
std::vector<TensorSpec> TensorsOf(const TextEncoderConfig& config);
std::vector<TensorSpec> TensorsOf(const UNetConfig& config);

}  // namespace keylens::generator

#endif  // KEYLENS_SRC_MODELS_KEYLENS_UNET_TENSORS_H_
