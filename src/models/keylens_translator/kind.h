#ifndef KEYLENS_SRC_MODELS_KEYLENS_TRANSLATOR_KIND_H_
#define KEYLENS_SRC_MODELS_KEYLENS_TRANSLATOR_KIND_H_

#include "src/models/model_kind.h"

namespace keylens::translator {

// The row of the registry; no torch.
extern const ModelKind kModelKind;

}  // namespace keylens::translator

#endif  // KEYLENS_SRC_MODELS_KEYLENS_TRANSLATOR_KIND_H_
