#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "src/base/error.h"
#include "src/image/image.h"

namespace keylens {
namespace {

using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;

Image Grey(int width, int height, std::vector<uint8_t> pixels) {
  return {width, height, 1, std::move(pixels)};
}

// The triangle filter written plainly, in two dimensions at once and in double.
double Filtered(const Image& image, int width, int height, int x, int y) {
  const double scale_x = static_cast<double>(image.width) / width;
  const double scale_y = static_cast<double>(image.height) / height;
  double sum = 0;
  double weights = 0;
  for (int sy = 0; sy < image.height; ++sy) {
    for (int sx = 0; sx < image.width; ++sx) {
      const double dx =
          std::abs(sx + 0.5 - (x + 0.5) * scale_x) / std::max(1.0, scale_x);
      const double dy =
          std::abs(sy + 0.5 - (y + 0.5) * scale_y) / std::max(1.0, scale_y);
      const double weight = std::max(0.0, 1 - dx) * std::max(0.0, 1 - dy);
      sum += weight * image.pixels[sy * image.width + sx];
      weights += weight;
    }
  }
  return sum / weights;
}

TEST(Resize, IsTheTriangleFilter) {
  Image image = Grey(13, 9, {});
  for (int i = 0; i < 13 * 9; ++i)
    image.pixels.push_back(static_cast<uint8_t>(i * 97 % 256));
  for (const auto& [width, height] : {std::pair(13, 4),
                                      {5, 9},
                                      {7, 5},
                                      {26, 18},
                                      {40, 3},
                                      {1, 1},
                                      {3, 50},
                                      {13, 10}}) {
    const Image resized = Resize(image, width, height);
    ASSERT_EQ(resized.pixels.size(), static_cast<std::size_t>(width) * height);
    for (int y = 0; y < height; ++y) {
      for (int x = 0; x < width; ++x) {
        ASSERT_NEAR(resized.pixels[y * width + x],
                    Filtered(image, width, height, x, y), 0.51)
            << width << " x " << height << " at " << x << ", " << y;
      }
    }
  }
}

TEST(Resize, AConstantStaysConstant) {
  for (const int size : {1, 2, 3, 17, 64, 100}) {
    EXPECT_THAT(
        Resize({37, 23, 3, std::vector<uint8_t>(37 * 23 * 3, 201)}, size, size)
            .pixels,
        Each(201));
  }
}

TEST(Resize, FineStripesBecomeGreyInsteadOfAliasing) {
  Image image = Grey(64, 64, {});
  for (int i = 0; i < 64 * 64; ++i)
    image.pixels.push_back(i % 2 == 0 ? 0 : 255);
  for (const uint8_t pixel : Resize(image, 7, 7).pixels)
    EXPECT_NEAR(pixel, 127.5, 6);
}

TEST(Resize, TransparentPixelsGiveNoColour) {
  // Opaque red beside a transparent green.
  const Image image{2, 1, 4, {255, 0, 0, 255, 0, 255, 0, 0}};
  EXPECT_THAT(Resize(image, 1, 1).pixels, ElementsAre(255, 0, 0, 128));
  const Image wide = Resize(image, 8, 1);
  for (int x = 0; x < 8; ++x) {
    const uint8_t* pixel = wide.pixels.data() + 4 * x;
    if (pixel[3] > 0) {
      EXPECT_EQ(pixel[0], 255);
      EXPECT_EQ(pixel[1], 0);
    } else {
      EXPECT_EQ(pixel[0] + pixel[1] + pixel[2], 0);
    }
  }
}

TEST(Resize, TheSameSizeIsTheSamePicture) {
  const Image image{2, 1, 4, {1, 2, 3, 0, 5, 6, 7, 1}};
  EXPECT_EQ(Resize(image, 2, 1).pixels, image.pixels);
}

TEST(Resize, LongThinPicturesTakeNoMoreThanTheirOwnMemory) {
  // Both ways of taking one axis first would need 100,000 x 2,000 floats for
  // one of these.
  const Image tall = Grey(1, 100'000, std::vector<uint8_t>(100'000, 50));
  EXPECT_THAT(Resize(tall, 2000, 1).pixels, Each(50));
  const Image wide = Grey(100'000, 1, std::vector<uint8_t>(100'000, 50));
  EXPECT_THAT(Resize(wide, 1, 2000).pixels, Each(50));
}

TEST(Resize, RefusesSizesThatAreNone) {
  const Image image = Grey(1, 1, {5});
  for (const auto& [width, height] :
       {std::pair(0, 5), {5, 0}, {-1, 5}, {30000, 30000}, {1 << 30, 1 << 30}}) {
    try {
      Resize(image, width, height);
      ADD_FAILURE() << width << " x " << height;
    } catch (const Error& error) {
      EXPECT_THAT(error.what(), HasSubstr(std::to_string(width) + " x " +
                                          std::to_string(height)));
    }
  }
  EXPECT_THROW(Resize(Image{}, 4, 4), std::invalid_argument);
}

}  // namespace
}  // namespace keylens
