#ifndef KEYLENS_SRC_MASK_ALIGNMENT_H_
#define KEYLENS_SRC_MASK_ALIGNMENT_H_

#include <keylens/mask.h>

#include <cstdint>

namespace keylens {

// The key that a query stands beside; below 0 or from kv_len on where there is
// no such key. For lengths up to 2^63 - 1.
inline int64_t KeyBeside(CausalAlignment alignment, const TileCoord& coord,
                         int64_t query) {
  return alignment == CausalAlignment::kTopLeft
             ? query
             : coord.kv_len - (coord.query_len - query);
}

}  // namespace keylens

#endif  // KEYLENS_SRC_MASK_ALIGNMENT_H_
