#include <keylens/mask.h>

#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>

#include "src/mask/alignment.h"
#include "src/mask/stretch_mask.h"

namespace keylens {
namespace {

constexpr int64_t kNoLimit = -1;

// Limits may be as large as an int64_t is, so they are compared with what there
// is on that side before anything is added to them.
struct Window {
  int64_t left;
  int64_t right;
  CausalAlignment alignment;

  KeyStretch StretchOf(const TileCoord& coord, int64_t query) const {
    const int64_t beside = KeyBeside(alignment, coord, query);
    const bool from_first = left == kNoLimit || left > beside;
    const bool to_last =
        right == kNoLimit || right >= coord.kv_len - 1 - beside;
    return {from_first ? 0 : beside - left,
            to_last ? coord.kv_len : beside + right + 1};
  }
};

void RequireLimit(const char* side, int64_t limit) {
  if (limit >= kNoLimit) return;
  throw std::invalid_argument(std::string("SlidingWindowMask: ") + side +
                              " is " + std::to_string(limit) +
                              "; -1 is no limit");
}

}  // namespace

std::unique_ptr<Mask> SlidingWindowMask(int64_t left, int64_t right,
                                        CausalAlignment alignment) {
  RequireLimit("left", left);
  RequireLimit("right", right);
  return std::make_unique<StretchMask<Window>>(Window{left, right, alignment});
}

}  // namespace keylens
