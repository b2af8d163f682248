#ifndef KEYLENS_SRC_MODELS_VIT_KIND_H_
#define KEYLENS_SRC_MODELS_VIT_KIND_H_

#include "src/models/model_kind.h"

namespace keylens::classifier {

// The row of the registry; no torch.
extern const ModelKind kModelKind;

}  // namespace keylens::classifier

#endif  // KEYLENS_SRC_MODELS_VIT_KIND_H_
