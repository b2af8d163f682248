#ifndef KEYLENS_SRC_MODELS_KEYLENS_TRANSLATOR_TENSORS_H_
#define KEYLENS_SRC_MODELS_KEYLENS_TRANSLATOR_TENSORS_H_

#include <vector>

#include "src/models/keylens_translator/config.h"
#include "src/weights/weight_report.h"

namespace keylens::translator {

// The weights of a translator, as its torch module has them.
std::vector<TensorSpec> TensorsOf(const TranslatorConfig& config);

}  // namespace keylens::translator

#endif  // KEYLENS_SRC_MODELS_KEYLENS_TRANSLATOR_TENSORS_H_
