#include <keylens/mask.h>

#include <cstdint>
#include <memory>

#include "src/mask/alignment.h"
#include "src/mask/stretch_mask.h"

namespace keylens {
namespace {

struct Causal {
  CausalAlignment alignment;

  KeyStretch StretchOf(const TileCoord& coord, int64_t query) const {
    return {0, KeyBeside(alignment, coord, query) + 1};
  }
};

}  // namespace

std::unique_ptr<Mask> CausalMask(CausalAlignment alignment) {
  return std::make_unique<StretchMask<Causal>>(Causal{alignment});
}

}  // namespace keylens
