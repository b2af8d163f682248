#include "systems/generator/default_model.h"

#include "src/base/shipped_model.h"

namespace keylens::generator {

std::filesystem::path DefaultModelFolder() {
  return ShippedModelFolder("emoji", "model_index.json");
}

}  // namespace keylens::generator
