#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "src/base/file.h"
#include "src/image/image.h"
#include "tests/image/jpeg_maker.h"
#include "tests/image/png_maker.h"
#include "tests/temporary_path.h"

namespace keylens {
namespace {

using testing::ElementsAre;
using testing::ElementsAreArray;

Image Decoded(const PngRecipe& recipe) {
  return DecodeImage(MakePng(recipe), "made.png");
}

TEST(ReadPng, GreyOfEveryDepthIsSpreadOverEightBits) {
  struct Case {
    int bits;
    std::vector<uint8_t> row;
    std::vector<uint8_t> pixels;
  };
  // Four pixels each; the first and last values, and two between.
  const std::vector<Case> cases = {
      {1, {0b01100000}, {0, 255, 255, 0}},
      {2, {0b00011011}, {0, 85, 170, 255}},
      {4, {0x07, 0x8F}, {0, 119, 136, 255}},
      {8, {0, 100, 200, 255}, {0, 100, 200, 255}},
      // 16 bits round: 0x0080 is 0.498 of 257, 0x0081 is 0.502 of it.
      {16, {0, 0x80, 0, 0x81, 0x80, 0x80, 0xFF, 0xFF}, {0, 1, 128, 255}},
  };
  for (const Case& c : cases) {
    const Image image = Decoded({.width = 4,
                                 .height = 1,
                                 .bit_depth = c.bits,
                                 .color_type = PNG_COLOR_TYPE_GRAY,
                                 .rows = {c.row}});
    EXPECT_EQ(image.channels, 1) << c.bits;
    EXPECT_THAT(image.pixels, ElementsAreArray(c.pixels)) << c.bits;
  }
}

TEST(ReadPng, GreyWithAlphaBecomesRgba) {
  for (const bool deep : {false, true}) {
    const std::vector<uint8_t> row =
        deep ? std::vector<uint8_t>{10, 10, 255, 255, 200, 200, 0, 0}
             : std::vector<uint8_t>{10, 255, 200, 0};
    const Image image = Decoded({.width = 2,
                                 .height = 1,
                                 .bit_depth = deep ? 16 : 8,
                                 .color_type = PNG_COLOR_TYPE_GRAY_ALPHA,
                                 .rows = {row}});
    EXPECT_EQ(image.channels, 4);
    EXPECT_THAT(image.pixels, ElementsAre(10, 10, 10, 255, 200, 200, 200, 0));
  }
}

TEST(ReadPng, GreyWithAKeyColourBecomesRgba) {
  PngRecipe recipe{.width = 4,
                   .height = 1,
                   .bit_depth = 2,
                   .color_type = PNG_COLOR_TYPE_GRAY,
                   .rows = {{0b00011011}}};
  recipe.has_key_color = true;
  recipe.key_color.gray = 2;
  EXPECT_THAT(Decoded(recipe).pixels,
              ElementsAre(0, 0, 0, 255, 85, 85, 85, 255, 170, 170, 170, 0, 255,
                          255, 255, 255));
}

TEST(ReadPng, RgbWithAKeyColourBecomesRgba) {
  PngRecipe recipe{.width = 2,
                   .height = 1,
                   .color_type = PNG_COLOR_TYPE_RGB,
                   .rows = {{1, 2, 3, 1, 2, 4}}};
  recipe.has_key_color = true;
  recipe.key_color.red = 1;
  recipe.key_color.green = 2;
  recipe.key_color.blue = 3;
  EXPECT_THAT(Decoded(recipe).pixels, ElementsAre(1, 2, 3, 0, 1, 2, 4, 255));
}

TEST(ReadPng, AKeyColourOfSixteenBitsIsComparedBeforeRounding) {
  PngRecipe recipe{.width = 2,
                   .height = 1,
                   .bit_depth = 16,
                   .color_type = PNG_COLOR_TYPE_RGB,
                   .rows = {{1, 0, 1, 0, 1, 0, 1, 1, 1, 0, 1, 0}}};
  recipe.has_key_color = true;
  recipe.key_color.red = recipe.key_color.green = recipe.key_color.blue =
      0x0100;
  EXPECT_THAT(Decoded(recipe).pixels, ElementsAre(1, 1, 1, 0, 1, 1, 1, 255));
}

TEST(ReadPng, PalettesAreExpanded) {
  PngRecipe recipe{.width = 4,
                   .height = 1,
                   .bit_depth = 2,
                   .color_type = PNG_COLOR_TYPE_PALETTE,
                   .rows = {{0b00011000}},
                   .palette = {{10, 20, 30}, {40, 50, 60}, {70, 80, 90}}};
  const Image opaque = Decoded(recipe);
  EXPECT_EQ(opaque.channels, 3);
  EXPECT_THAT(opaque.pixels,
              ElementsAre(10, 20, 30, 40, 50, 60, 70, 80, 90, 10, 20, 30));

  recipe.palette_alpha = {0, 128};  // the third is opaque
  const Image image = Decoded(recipe);
  EXPECT_EQ(image.channels, 4);
  EXPECT_THAT(image.pixels, ElementsAre(10, 20, 30, 0, 40, 50, 60, 128, 70, 80,
                                        90, 255, 10, 20, 30, 0));
}

TEST(ReadPng, InterlacedIsTheSamePicture) {
  for (const auto& [width, height] :
       {std::pair(1, 1), {2, 3}, {9, 8}, {33, 17}}) {
    PngRecipe recipe{.width = width, .height = height};
    for (int y = 0; y < height; ++y) {
      std::vector<uint8_t> row;
      for (int x = 0; x < 4 * width; ++x)
        row.push_back(static_cast<uint8_t>(37 * x + 101 * y));
      recipe.rows.push_back(row);
    }
    const Image plain = Decoded(recipe);
    recipe.interlaced = true;
    EXPECT_EQ(Decoded(recipe).pixels, plain.pixels) << width << " x " << height;
    EXPECT_THAT(std::vector<uint8_t>(plain.pixels.begin(),
                                     plain.pixels.begin() + 4 * width),
                ElementsAreArray(recipe.rows[0]));
  }
}

TEST(ReadPng, SixteenBitRgbaRoundsEveryValue) {
  PngRecipe recipe{
      .width = 65536 / 4, .height = 1, .bit_depth = 16, .rows = {{}}};
  for (int value = 0; value < 65536; ++value) {
    recipe.rows[0].push_back(static_cast<uint8_t>(value >> 8));
    recipe.rows[0].push_back(static_cast<uint8_t>(value & 255));
  }
  const Image image = Decoded(recipe);
  ASSERT_EQ(image.pixels.size(), 65536u);
  for (int value = 0; value < 65536; ++value)
    ASSERT_EQ(image.pixels[value], (value + 128) / 257) << value;
}

// Before the pixels, as most writers have it, and behind them.
TEST(ReadPng, ExifTurnsThePictureUpright) {
  const std::string plain = MakePng({.width = 3,
                                     .height = 1,
                                     .color_type = PNG_COLOR_TYPE_GRAY,
                                     .rows = {{1, 2, 3}}});
  const auto with = [&](const std::string& exif, const char* before) {
    const std::size_t at = plain.find(before) - 4;
    return DecodeImage(plain.substr(0, at) +
                           PngFromChunks({{"eXIf", exif}}).substr(8) +
                           plain.substr(at),
                       "x.png");
  };
  for (const char* before : {"IDAT", "IEND"}) {
    for (const bool big_endian : {false, true}) {
      EXPECT_THAT(with(ExifWithOrientation(2, big_endian), before).pixels,
                  ElementsAre(3, 2, 1));
      const Image turned = with(ExifWithOrientation(6, big_endian), before);
      EXPECT_EQ(turned.width, 1);
      EXPECT_EQ(turned.height, 3);
      EXPECT_THAT(turned.pixels, ElementsAre(1, 2, 3));
    }
    for (const std::string exif : {"", "M", "MM", "no exif", "II*"})
      EXPECT_EQ(with(exif, before).width, 3) << exif;
    EXPECT_EQ(with(ExifWithOrientation(9, true), before).width, 3);
  }
}

TEST(ReadPng, CompressedTextIsRead) {
  PngRecipe recipe{.width = 1, .height = 1, .rows = {{1, 2, 3, 4}}};
  recipe.compressed_text = "gr\xFC\xDF" + std::string(2000, 'e');
  const auto path = TemporaryPath("text.png");
  WriteFileAtomically(path, MakePng(recipe));
  EXPECT_THAT(ReadPngText(path),
              ElementsAre(std::pair<std::string, std::string>(
                  "Comment", "grüß" + std::string(2000, 'e'))));
  std::filesystem::remove(path);
}

}  // namespace
}  // namespace keylens
