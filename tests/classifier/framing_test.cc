#include "src/image/framing.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace keylens::classifier {
namespace {

constexpr Framing kFashion = {32, 28, 1, Ground::kDark};
constexpr Framing kScene = {32, 32, 3, Ground::kAny};

Image Flat(int width, int height, int channels, uint8_t value) {
  const std::size_t count = static_cast<std::size_t>(width) * height * channels;
  return {width, height, channels, std::vector<uint8_t>(count, value)};
}

void Fill(Image& image, int x, int y, int width, int height, uint8_t value) {
  for (int row = y; row < y + height; ++row) {
    for (int at = x * image.channels; at < (x + width) * image.channels; ++at)
      image.pixels[(row * image.width) * image.channels + at] = value;
  }
}

int At(const Image& image, int x, int y, int channel = 0) {
  return image.pixels[(y * image.width + x) * image.channels + channel];
}

TEST(FramingTest, APictureOfTheSetIsTakenAsItIs) {
  Image image = Flat(28, 28, 1, 0);
  Fill(image, 10, 10, 3, 3, 40);  // with wide dark edges that stay
  for (int i = 0; i < 28; ++i) image.pixels[i * 28 + 14] = i * 9;
  const Image square = Frame(image, kFashion);
  ASSERT_EQ(square.width, 32);
  ASSERT_EQ(square.height, 32);
  ASSERT_EQ(square.channels, 1);
  for (int y = 0; y < 32; ++y) {
    for (int x = 0; x < 32; ++x) {
      const bool inside = x >= 2 && x < 30 && y >= 2 && y < 30;
      ASSERT_EQ(At(square, x, y), inside ? At(image, x - 2, y - 2) : 0)
          << x << ' ' << y;
    }
  }
}

TEST(FramingTest, AThingOnWhitePaperIsNegatedAndCutOut) {
  Image image = Flat(200, 150, 3, 250);
  Fill(image, 60, 20, 70, 112, 30);  // 70 x 112: becomes 17.5 x 28
  const Image square = Frame(image, kFashion);
  EXPECT_EQ(At(square, 16, 16), 225);
  EXPECT_EQ(At(square, 16, 2), 225);  // up to the content's edge
  EXPECT_EQ(At(square, 16, 29), 225);
  EXPECT_EQ(At(square, 16, 1), 0);  // and not beyond
  EXPECT_EQ(At(square, 2, 16), 0);  // the sides are ground
  EXPECT_EQ(At(square, 29, 16), 0);
}

TEST(FramingTest, ABrightThingOnBlackIsCutOutAndNotNegated) {
  Image image = Flat(100, 100, 1, 5);
  Fill(image, 20, 40, 56, 28, 200);  // becomes 28 x 14
  const Image square = Frame(image, kFashion);
  EXPECT_EQ(At(square, 2, 16), 200);
  EXPECT_EQ(At(square, 29, 16), 200);
  EXPECT_EQ(At(square, 16, 8), 0);
  EXPECT_EQ(At(square, 16, 9), 200);
  EXPECT_EQ(At(square, 16, 22), 200);
  EXPECT_EQ(At(square, 16, 23), 0);
}

TEST(FramingTest, WhatIsTransparentIsPaper) {
  Image image = Flat(64, 64, 4, 0);  // transparent black
  for (int y = 16; y < 48; ++y) {
    for (int x = 16; x < 48; ++x) image.pixels[(y * 64 + x) * 4 + 3] = 255;
  }
  const Image square = Frame(image, kFashion);
  EXPECT_EQ(At(square, 16, 16), 255);  // black, negated
  EXPECT_EQ(At(square, 2, 2), 255);    // and cut to its edges
  EXPECT_EQ(At(square, 1, 1), 0);
}

TEST(FramingTest, GreyIsTheLightnessOfColours) {
  Image image = Flat(28, 28, 3, 0);
  for (int i = 28 * 14 + 14, c = 0; c < 3; ++c)
    image.pixels[i * 3 + c] = static_cast<uint8_t>(c == 1 ? 255 : 0);
  EXPECT_EQ(At(Frame(image, kFashion), 16, 16), 150);  // 0.587 * 255
}

TEST(FramingTest, AScenePictureKeepsItsColoursAndShape) {
  Image image = Flat(64, 32, 3, 255);
  Fill(image, 0, 0, 32, 32, 100);
  const Image square = Frame(image, kScene);
  EXPECT_EQ(At(square, 16, 7), 0);  // above a picture of 32 x 16
  EXPECT_EQ(At(square, 5, 8), 100);
  EXPECT_EQ(At(square, 28, 8, 2), 255);  // bright corners stay bright
  EXPECT_EQ(At(square, 28, 23), 255);
  EXPECT_EQ(At(square, 28, 24), 0);
}

TEST(FramingTest, AFlatPictureAndASinglePixelAreFramedToo) {
  const Image flat = Frame(Flat(50, 100, 3, 255), kFashion);
  EXPECT_TRUE(std::ranges::all_of(flat.pixels, [](int v) { return v == 0; }));
  const Image pixel = Frame(Flat(1, 1, 1, 7), kScene);
  EXPECT_EQ(At(pixel, 31, 31, 1), 7);
  // So narrow that a rounded side would be no pixel at all.
  const Image line = Frame(Flat(1, 1000, 1, 7), kScene);
  EXPECT_EQ(line.pixels.size(), 32u * 32 * 3);
}

TEST(FramingTest, DetailShowsTheSameSquareWithMorePixels) {
  Image image = Flat(140, 280, 3, 255);
  Fill(image, 0, 100, 140, 80, 0);
  Fill(image, 60, 0, 20, 280, 0);
  const Image square = Frame(image, kFashion);
  const Image detailed = Frame(image, kFashion, 5);
  ASSERT_EQ(detailed.width, 160);
  double difference = 0;
  for (int y = 0; y < 32; ++y) {
    for (int x = 0; x < 32; ++x) {
      double sum = 0;
      for (int i = 0; i < 25; ++i)
        sum += At(detailed, x * 5 + i % 5, y * 5 + i / 5);
      difference = std::max(difference, std::abs(sum / 25 - At(square, x, y)));
    }
  }
  // The triangle filter reaches into neighbours; a shift by a pixel would make
  // this 200 and more.
  EXPECT_LT(difference, 100);
}

}  // namespace
}  // namespace keylens::classifier
