#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include "src/base/error.h"
#include "src/image/image.h"
#include "tests/image/jpeg_maker.h"

namespace keylens {
namespace {

using testing::ElementsAreArray;

// A smooth picture, which JPEG keeps to a few steps.
std::vector<uint8_t> Gradient(int width, int height, int channels) {
  std::vector<uint8_t> pixels;
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      for (int c = 0; c < channels; ++c)
        pixels.push_back(static_cast<uint8_t>(40 + 5 * x + 3 * y + 30 * c));
    }
  }
  return pixels;
}

void ExpectClose(const std::vector<uint8_t>& actual,
                 const std::vector<uint8_t>& expected, int tolerance) {
  ASSERT_EQ(actual.size(), expected.size());
  for (std::size_t i = 0; i < actual.size(); ++i) {
    ASSERT_LE(std::abs(actual[i] - expected[i]), tolerance) << "at " << i;
  }
}

TEST(ReadJpeg, GreyAndColourBaselineAndProgressive) {
  for (const int channels : {1, 3}) {
    for (const bool progressive : {false, true}) {
      const auto pixels = Gradient(17, 11, channels);
      const Image image = DecodeImage(MakeJpeg({.width = 17,
                                                .height = 11,
                                                .channels = channels,
                                                .pixels = pixels,
                                                .progressive = progressive}),
                                      "made.jpg");
      EXPECT_EQ(image.width, 17);
      EXPECT_EQ(image.height, 11);
      EXPECT_EQ(image.channels, channels);
      ExpectClose(image.pixels, pixels, 3);
    }
  }
}

TEST(ReadJpeg, InksBecomeLight) {
  // Cyan, magenta, yellow and black ink, none, and half of all but black; 255
  // is full.
  const std::vector<std::vector<uint8_t>> inks = {
      {255, 0, 0, 0}, {0, 255, 0, 0}, {0, 0, 255, 0},
      {0, 0, 0, 255}, {0, 0, 0, 0},   {128, 128, 128, 0}};
  const std::vector<std::vector<uint8_t>> light = {
      {0, 255, 255}, {255, 0, 255},   {255, 255, 0},
      {0, 0, 0},     {255, 255, 255}, {127, 127, 127}};
  for (const bool adobe : {false, true}) {
    for (std::size_t i = 0; i < inks.size(); ++i) {
      std::vector<uint8_t> pixels;
      std::vector<uint8_t> expected;
      for (int pixel = 0; pixel < 64; ++pixel) {
        // As Adobe stores it: what is left of the paper.
        for (const uint8_t ink : inks[i]) pixels.push_back(255 - ink);
        expected.insert(expected.end(), light[i].begin(), light[i].end());
      }
      const Image image = DecodeImage(MakeJpeg({.width = 8,
                                                .height = 8,
                                                .channels = 4,
                                                .pixels = pixels,
                                                .adobe = adobe}),
                                      "inks.jpg");
      EXPECT_EQ(image.channels, 3);
      ExpectClose(image.pixels, expected, 3);
    }
  }
}

// Two by one blocks: the left dark, the right light; and where a viewer must
// see the dark one.
TEST(ReadJpeg, ExifTurnsThePictureUpright) {
  std::vector<uint8_t> pixels;
  for (int y = 0; y < 16; ++y) {
    for (int x = 0; x < 32; ++x)
      pixels.push_back(
          static_cast<uint8_t>((x < 16 ? 30 : 150) + (y < 8 ? 0 : 60)));
  }
  struct Corner {
    int left_top, right_top, left_bottom, right_bottom;
  };
  const std::vector<Corner> corners = {
      {30, 150, 90, 210}, {150, 30, 210, 90}, {210, 90, 150, 30},
      {90, 210, 30, 150}, {30, 90, 150, 210}, {90, 30, 210, 150},
      {210, 150, 90, 30}, {150, 210, 30, 90},
  };
  for (uint16_t orientation = 1; orientation <= 8; ++orientation) {
    for (const bool big_endian : {false, true}) {
      const Image image = DecodeImage(
          MakeJpeg({.width = 32,
                    .height = 16,
                    .channels = 1,
                    .pixels = pixels,
                    .exif = ExifWithOrientation(orientation, big_endian)}),
          "turned.jpg");
      ASSERT_EQ(image.width, orientation < 5 ? 32 : 16);
      ASSERT_EQ(image.height, orientation < 5 ? 16 : 32);
      const auto at = [&](int x, int y) {
        return static_cast<int>(image.pixels[y * image.width + x]);
      };
      const Corner& c = corners[orientation - 1];
      EXPECT_NEAR(at(0, 0), c.left_top, 4) << orientation;
      EXPECT_NEAR(at(image.width - 1, 0), c.right_top, 4) << orientation;
      EXPECT_NEAR(at(0, image.height - 1), c.left_bottom, 4) << orientation;
      EXPECT_NEAR(at(image.width - 1, image.height - 1), c.right_bottom, 4)
          << orientation;
    }
  }
}

TEST(ReadJpeg, ExifMayHoldTheOrientationInAnyWholeNumber) {
  for (const uint16_t type : {1, 3, 4}) {
    for (const bool big_endian : {false, true}) {
      const Image image = DecodeImage(
          MakeJpeg({.width = 16,
                    .height = 8,
                    .channels = 1,
                    .pixels = Gradient(16, 8, 1),
                    .exif = ExifWithOrientation(6, big_endian, type)}),
          "x.jpg");
      EXPECT_EQ(image.width, 8) << type;
    }
  }
}

// A picture whose data takes some thousand bytes.
std::string NoisyJpeg(bool progressive, int channels = 3) {
  std::vector<uint8_t> pixels;
  for (uint32_t i = 0; i < 48u * 48 * channels; ++i)
    pixels.push_back(static_cast<uint8_t>(i * 2654435761u >> 24));
  return MakeJpeg({.width = 48,
                   .height = 48,
                   .channels = channels,
                   .pixels = pixels,
                   .progressive = progressive});
}

TEST(ReadJpeg, OnlyTheEndMarkerMissingIsNoted) {
  for (const bool progressive : {false, true}) {
    for (const int channels : {1, 3, 4}) {
      const std::string whole = NoisyJpeg(progressive, channels);
      std::vector<std::string> notes;
      const auto note = [&](const std::string& line) { notes.push_back(line); };
      const Image image = DecodeImage(whole, "x.jpg", note);
      EXPECT_THAT(notes, testing::IsEmpty());
      for (const std::size_t missing : {1, 2}) {
        const Image read =
            DecodeImage(whole.substr(0, whole.size() - missing), "x.jpg", note);
        EXPECT_EQ(read.pixels, image.pixels);
        EXPECT_THAT(notes, testing::ElementsAre(testing::StartsWith(
                               "x.jpg: the end marker is missing")));
        notes.clear();
      }
    }
  }
}

// All scans but the last: a whole picture to look at, but not all of it.
TEST(ReadJpeg, AScanThatIsMissingIsRefused) {
  for (const int channels : {1, 3}) {
    const std::string whole = NoisyJpeg(true, channels);
    const std::size_t last = whole.rfind("\xFF\xDA");
    EXPECT_THROW(DecodeImage(whole.substr(0, last), "x.jpg"), Error);
  }
}

// Bytes that nothing used are all that libjpeg sees of some damage.
TEST(ReadJpeg, DamageIsRefusedOrNoted) {
  for (const bool progressive : {false, true}) {
    const std::string whole = NoisyJpeg(progressive);
    int noticed = 0, damaged = 0;
    for (std::size_t at = whole.size() / 3; at + 300 < whole.size(); at += 97) {
      std::string bytes = whole;
      for (std::size_t i = at; i < at + 200; ++i)
        bytes[i] = static_cast<char>((bytes[i] * 7 + 13) & 0xFE);
      ++damaged;
      try {
        DecodeImage(bytes, "x.jpg", [&](const std::string& line) {
          EXPECT_THAT(line, testing::StartsWith("x.jpg: damaged ("));
          ++noticed;
        });
      } catch (const Error&) {
        ++noticed;
      }
    }
    ASSERT_GT(damaged, 20);
    EXPECT_GE(noticed * 10, damaged * 9);
  }
}

TEST(ReadJpeg, ExifThatSaysNothingIsNoError) {
  const std::string good = ExifWithOrientation(6, true);
  std::vector<std::string> blocks = {
      "MM",
      "no tiff",
      std::string("MM\0\x2A\xFF\xFF\xFF\xFF", 8),
      ExifWithOrientation(0, true),
      ExifWithOrientation(9, false),
      ExifWithOrientation(6, true, 5),  // a fraction
      std::string(good).replace(2, 2, "\0\x2B", 2),
      std::string(good).replace(26, 4, "\0\0\0\2", 4)};  // two values
  for (std::size_t size = 2; size < 32; ++size)
    blocks.push_back(good.substr(0, size));
  for (const std::string& block : blocks) {
    const Image image = DecodeImage(MakeJpeg({.width = 16,
                                              .height = 8,
                                              .channels = 1,
                                              .pixels = Gradient(16, 8, 1),
                                              .exif = block}),
                                    "x.jpg");
    EXPECT_EQ(image.width, 16);
  }
}

}  // namespace
}  // namespace keylens
