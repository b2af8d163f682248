#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <stdexcept>
#include <vector>

#include "src/image/image.h"

namespace keylens {
namespace {

using testing::ElementsAre;

TEST(ToRgba, KeepsColoursAndIsOpaqueWithoutAlpha) {
  EXPECT_THAT(ToRgba({2, 1, 1, {7, 9}}).pixels,
              ElementsAre(7, 7, 7, 255, 9, 9, 9, 255));
  EXPECT_THAT(ToRgba({1, 2, 3, {1, 2, 3, 4, 5, 6}}).pixels,
              ElementsAre(1, 2, 3, 255, 4, 5, 6, 255));
  EXPECT_THAT(ToRgba({1, 1, 4, {1, 2, 3, 4}}).pixels, ElementsAre(1, 2, 3, 4));
  EXPECT_EQ(ToRgba({1, 2, 3, {1, 2, 3, 4, 5, 6}}).height, 2);
}

TEST(OverWhite, IsThePictureOnPaper) {
  const Image image = OverWhite(
      {4,
       1,
       4,
       {10, 20, 30, 255, 10, 20, 30, 0, 0, 100, 200, 128, 0, 0, 0, 1}});
  EXPECT_EQ(image.channels, 3);
  // 255 - (255 - c) * 128 / 255, and 254 for the faintest black.
  EXPECT_THAT(image.pixels, ElementsAre(10, 20, 30, 255, 255, 255, 127, 177,
                                        227, 254, 254, 254));
  EXPECT_THAT(OverWhite({1, 1, 1, {9}}).pixels, ElementsAre(9, 9, 9));
  EXPECT_THAT(OverWhite({1, 1, 3, {9, 8, 7}}).pixels, ElementsAre(9, 8, 7));
}

TEST(Convert, RefusesPixelsThatAreNotThere) {
  const Image short_of_one{2, 2, 3, std::vector<uint8_t>(11)};
  EXPECT_THROW(ToRgba(short_of_one), std::invalid_argument);
  EXPECT_THROW(OverWhite(short_of_one), std::invalid_argument);
  EXPECT_THROW(Resize(short_of_one, 1, 1), std::invalid_argument);
}

}  // namespace
}  // namespace keylens
