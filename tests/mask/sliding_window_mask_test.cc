#include <gtest/gtest.h>
#include <keylens/mask.h>

#include <cstdint>
#include <limits>
#include <stdexcept>
#include <utility>

#include "tests/mask/mask_testing.h"

namespace keylens {
namespace {

constexpr int64_t kLargest = std::numeric_limits<int64_t>::max();

void ExpectWindow(int64_t left, int64_t right, CausalAlignment alignment,
                  const ScoreShape& shape) {
  SCOPED_TRACE(::testing::Message()
               << "window (" << left << ", " << right << "), "
               << shape.query_len << " x " << shape.kv_len);
  const int64_t shift = alignment == CausalAlignment::kTopLeft
                            ? 0
                            : shape.kv_len - shape.query_len;
  ExpectMaskIs(*SlidingWindowMask(left, right, alignment), shape,
               [=](int64_t, int64_t, int64_t i, int64_t j) {
                 const int64_t back = i + shift - j;
                 return (left == -1 || back <= left) &&
                        (right == -1 || -back <= right);
               });
}

TEST(SlidingWindowMask, SeesTheKeysAroundTheOneItStandsBeside) {
  for (const auto alignment :
       {CausalAlignment::kTopLeft, CausalAlignment::kBottomRight}) {
    for (const auto& [queries, keys] :
         {std::pair{13, 13}, {9, 21}, {21, 9}, {1, 16}, {16, 1}}) {
      for (const int64_t left : {-1, 0, 2, 30}) {
        for (const int64_t right : {-1, 0, 3, 30}) {
          ExpectWindow(left, right, alignment, {2, 2, queries, keys});
        }
      }
    }
  }
}

TEST(SlidingWindowMask, TheLargestLimitsAreNoLimits) {
  for (const auto alignment :
       {CausalAlignment::kTopLeft, CausalAlignment::kBottomRight}) {
    for (const int64_t limit : {kLargest, kLargest - 1, kLargest - 40}) {
      for (const auto& [queries, keys] : {std::pair{9, 21}, {21, 9}}) {
        const ScoreShape shape = {1, 1, queries, keys};
        ExpectWindow(limit, 1, alignment, shape);
        ExpectWindow(1, limit, alignment, shape);
        ExpectWindow(limit, limit, alignment, shape);
      }
    }
  }
}

TEST(SlidingWindowMask, CountsBeyond32Bits) {
  const int64_t far = int64_t{1} << 40;
  const auto mask =
      SlidingWindowMask(far / 2, 0, CausalAlignment::kBottomRight);
  TileCoord coord = {0, 0, far, 4, far + 1, 8, far * 2, far * 2};
  EXPECT_EQ(mask->Classify(coord), TileClass::kPartial);
  coord.first_key = far - 7;
  EXPECT_EQ(mask->Classify(coord), TileClass::kFull);
  coord.first_key = far / 2 + 3;
  EXPECT_EQ(mask->Classify(coord), TileClass::kFull);
  coord.first_key = far / 2 - 7;
  EXPECT_EQ(mask->Classify(coord), TileClass::kPartial);
  coord.first_key = far / 2 - 8;
  EXPECT_EQ(mask->Classify(coord), TileClass::kEmpty);
}

TEST(SlidingWindowMask, RefusesOtherNegativeLimits) {
  EXPECT_THROW(SlidingWindowMask(0, -2, CausalAlignment::kTopLeft),
               std::invalid_argument);
  try {
    SlidingWindowMask(-5, 0, CausalAlignment::kTopLeft);
    FAIL() << "no error";
  } catch (const std::invalid_argument& error) {
    EXPECT_STREQ(error.what(), "SlidingWindowMask: left is -5; -1 is no limit");
  }
}

}  // namespace
}  // namespace keylens
