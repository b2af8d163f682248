// The vector of the instruction set being compiled, and the tile sizes that
// follow from it.

#if defined(KEYLENS_SRC_ATTENTION_TILE_LANES_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef KEYLENS_SRC_ATTENTION_TILE_LANES_INL_H_
#undef KEYLENS_SRC_ATTENTION_TILE_LANES_INL_H_
#else
#define KEYLENS_SRC_ATTENTION_TILE_LANES_INL_H_
#endif

#include <hwy/highway.h>

#include <cstdint>

#include "src/attention/plan/tile_geometry.h"

HWY_BEFORE_NAMESPACE();
namespace keylens::internal::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using FloatTag = hn::ScalableTag<float>;
using Vec = hn::Vec<FloatTag>;

constexpr int64_t kLanes = static_cast<int64_t>(hn::MaxLanes(FloatTag()));

constexpr bool kHas32Registers = HWY_TARGET == HWY_AVX3 ||
                                 HWY_TARGET == HWY_AVX3_DL ||
                                 HWY_TARGET == HWY_NEON;

// A micro kernel keeps kMicroRows x kMicroVecs sums in registers, beside
// kMicroVecs vectors of one operand and one broadcast element of the other.
// Each step of the depth takes kMicroRows + kMicroVecs loads for kMicroRows *
// kMicroVecs multiply-adds, so loads are no bottleneck where a core does as
// many of either per cycle. 12 rows would fit the 32 registers of AVX-512 too:
// they were up to 4 % slower than 8 in most shapes.
constexpr int64_t kMicroRows = HWY_TARGET == HWY_NEON ? 12
                               : kHas32Registers      ? 8
                                                      : 6;
constexpr int64_t kMicroVecs = 2;

// Operands are packed into panels of this many columns; a last one that needs
// no more than kLanes is that narrow.
constexpr int64_t kPanel = kMicroVecs * kLanes;

// Rows of the broadcast operand lie side by side, padded so that they can be
// written four at a time.
constexpr int64_t kMicroRowsPadded = (kMicroRows + 3) / 4 * 4;

static_assert(kTileRows % kMicroRows == 0 && kBlockKeys % kTrimKeys == 0 &&
              kTrimKeys % kPanel == 0);

}  // namespace keylens::internal::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // KEYLENS_SRC_ATTENTION_TILE_LANES_INL_H_
