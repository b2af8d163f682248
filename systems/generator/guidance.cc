#include "systems/generator/guidance.h"

namespace keylens::generator {

bool NeedsUnconditional(double guidance) { return guidance != 1; }

torch::Tensor Guided(const torch::Tensor& prompt,
                     const torch::Tensor& unconditional, double guidance) {
  return unconditional + guidance * (prompt - unconditional);
}

}  // namespace keylens::generator
