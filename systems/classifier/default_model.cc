#include "systems/classifier/default_model.h"

#include "src/base/shipped_model.h"

namespace keylens::classifier {

std::filesystem::path DefaultModelFolder() {
  return ShippedModelFolder("fashion", "config.json");
}

}  // namespace keylens::classifier
