#include <keylens/mask.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>

#include "src/mask/alignment.h"
#include "src/mask/stretch_mask.h"

namespace keylens {
namespace {

struct Prefix {
  int64_t prefix;

  KeyStretch StretchOf(const TileCoord& coord, int64_t query) const {
    const int64_t beside = KeyBeside(CausalAlignment::kTopLeft, coord, query);
    return {0, std::max(prefix, beside + 1)};
  }
};

}  // namespace

std::unique_ptr<Mask> PrefixMask(int64_t prefix) {
  if (prefix < 0) {
    throw std::invalid_argument("PrefixMask: prefix is " +
                                std::to_string(prefix));
  }
  return std::make_unique<StretchMask<Prefix>>(Prefix{prefix});
}

}  // namespace keylens
