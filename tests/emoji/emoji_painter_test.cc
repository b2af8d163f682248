#include "systems/generator/emoji/emoji_painter.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <iostream>

#include "src/base/error.h"
#include "src/base/file.h"

namespace keylens {
namespace {

constexpr int kSide = EmojiPainter::kSide;

const uint8_t* PixelAt(const Image& image, int x, int y) {
  return &image.pixels[(static_cast<size_t>(y) * image.width + x) * 4];
}

Image DrawOne(const char* utf8) {
  EmojiPainter painter;
  const std::optional<Image> image = painter.Draw(utf8);
  EXPECT_TRUE(image.has_value()) << utf8;
  return image.value_or(Image{});
}

TEST(EmojiPainterTest, DrawsAHeartInRedOnNothing) {
  const Image heart = DrawOne("❤️");
  ASSERT_EQ(heart.width, kSide);
  ASSERT_EQ(heart.height, kSide);
  ASSERT_EQ(heart.channels, 4);
  const uint8_t* middle = PixelAt(heart, kSide / 2, kSide / 2);
  EXPECT_GT(middle[0], 180);
  EXPECT_LT(middle[1], 90);
  EXPECT_EQ(middle[3], 255);
  for (const int corner : {0, kSide - 1}) {
    EXPECT_EQ(PixelAt(heart, corner, kSide - 1)[3], 0);
  }
}

TEST(EmojiPainterTest, EdgesKeepTheirColour) {
  const Image heart = DrawOne("❤️");
  int edges = 0;
  for (int y = 0; y < kSide; ++y) {
    for (int x = 0; x < kSide; ++x) {
      const uint8_t* pixel = PixelAt(heart, x, y);
      if (pixel[3] < 40 || pixel[3] > 215) continue;
      ++edges;
      EXPECT_GT(pixel[0], 150) << "darkened by alpha at " << x << ", " << y;
    }
  }
  EXPECT_GT(edges, 50);
}

// Columns and rows of a picture that are not empty.
std::array<int, 4> Extent(const Image& image) {
  std::array<int, 4> box = {kSide, kSide, -1, -1};
  for (int y = 0; y < kSide; ++y) {
    for (int x = 0; x < kSide; ++x) {
      if (PixelAt(image, x, y)[3] == 0) continue;
      box = {std::min(box[0], x), std::min(box[1], y), std::max(box[2], x),
             std::max(box[3], y)};
    }
  }
  return box;
}

TEST(EmojiPainterTest, FillsTheSquareAndCentres) {
  const std::array<int, 4> face = Extent(DrawOne("🙂"));
  EXPECT_LE(face[0], 3);
  EXPECT_GE(face[2], kSide - 4);
  EXPECT_NEAR(face[0], kSide - 1 - face[2], 1);
  EXPECT_NEAR(face[1], kSide - 1 - face[3], 2);
}

TEST(EmojiPainterTest, JoinsSequencesIntoOnePicture) {
  const Image plain = DrawOne("👩‍🚒");
  const Image dark = DrawOne("👩🏿‍🚒");
  EXPECT_NE(plain.pixels, dark.pixels);
  EXPECT_NE(plain.pixels, DrawOne("👨‍🚒").pixels);
  DrawOne("👩🏻‍❤️‍💋‍👨🏿");
  DrawOne("🇫🇷");
  DrawOne("🏴󠁧󠁢󠁷󠁬󠁳󠁿");
}

TEST(EmojiPainterTest, DrawsTheSameAfterOtherEmoji) {
  EmojiPainter painter;
  const Image first = *painter.Draw("🚀");
  painter.Draw("A");
  painter.Draw("🐙");
  EXPECT_EQ(painter.Draw("🚀")->pixels, first.pixels);
}

TEST(EmojiPainterTest, LeavesOutWhatIsNotOneGlyphOfTheFont) {
  EmojiPainter painter;
  EXPECT_FALSE(painter.Draw(""));
  EXPECT_FALSE(painter.Draw("A"));   // another font's
  EXPECT_FALSE(painter.Draw("🚀🚀"));  // two glyphs
  EXPECT_FALSE(
      painter.Draw("👩‍🚀‍🚒"));   // a sequence that nobody drew
  EXPECT_FALSE(painter.Draw("\U000F1234"));  // no font's: a box with digits
}

// Where fonts are looked for is read once in a program: this runs in one of its
// own.
void ExpectMissingFontThenExit() {
  const std::string config = testing::TempDir() + "/no_fonts.conf";
  WriteFileAtomically(config,
                      "<?xml version='1.0'?><!DOCTYPE fontconfig SYSTEM "
                      "'fonts.dtd'><fontconfig></fontconfig>");
  setenv("FONTCONFIG_FILE", config.c_str(), 1);
  try {
    EmojiPainter painter;
  } catch (const Error& error) {
    std::cerr << error.what() << '\n';
    std::exit(3);
  }
  std::exit(0);
}

TEST(EmojiPainterDeathTest, NamesThePackageOfAMissingFont) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(ExpectMissingFontThenExit(), testing::ExitedWithCode(3),
              "install the Debian package fonts-noto-color-emoji");
}

}  // namespace
}  // namespace keylens
