#ifndef KEYLENS_SRC_MODELS_KEYLENS_UNET_KIND_H_
#define KEYLENS_SRC_MODELS_KEYLENS_UNET_KIND_H_

#include "src/models/model_kind.h"

namespace keylens::generator {

// The row of the registry; no torch.
extern const ModelKind kModelKind;

}  // namespace keylens::generator

#endif  // KEYLENS_SRC_MODELS_KEYLENS_UNET_KIND_H_
