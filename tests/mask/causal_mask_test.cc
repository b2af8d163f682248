#include <gtest/gtest.h>
#include <keylens/mask.h>

#include <cstdint>
#include <utility>

#include "tests/mask/mask_testing.h"

namespace keylens {
namespace {

TEST(CausalMask, TopLeftSeesTheKeyOfItsOwnIndexAndAllBefore) {
  const auto mask = CausalMask(CausalAlignment::kTopLeft);
  for (const auto& [queries, keys] : {std::pair{13, 13}, {9, 21}, {21, 9}}) {
    ExpectMaskIs(*mask, {2, 3, queries, keys},
                 [](int64_t, int64_t, int64_t i, int64_t j) { return j <= i; });
  }
}

TEST(CausalMask, BottomRightEndsWithTheLastKey) {
  const auto mask = CausalMask(CausalAlignment::kBottomRight);
  for (const auto& [queries, keys] :
       {std::pair{13, 13}, {9, 21}, {21, 9}, {1, 16}, {16, 1}}) {
    const int64_t shift = keys - queries;
    ExpectMaskIs(
        *mask, {1, 2, queries, keys},
        [=](int64_t, int64_t, int64_t i, int64_t j) { return j <= i + shift; });
  }
}

TEST(CausalMask, CountsBeyond32Bits) {
  const auto mask = CausalMask(CausalAlignment::kTopLeft);
  const int64_t far = int64_t{1} << 40;
  const TileCoord coord = {0, 0, far, 4, far + 1, 8, far * 2, far * 2};
  EXPECT_EQ(mask->Classify(coord), TileClass::kPartial);
  TileCoord below = coord;
  below.first_key = far - 7;
  EXPECT_EQ(mask->Classify(below), TileClass::kFull);
  TileCoord above = coord;
  above.first_key = far + 4;
  EXPECT_EQ(mask->Classify(above), TileClass::kEmpty);
}

}  // namespace
}  // namespace keylens
