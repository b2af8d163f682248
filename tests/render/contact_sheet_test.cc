#include "src/render/sheets/contact_sheet.h"

#include <gtest/gtest.h>

#include <stdexcept>
#include <vector>

#include "tests/render/pixels.h"

namespace keylens {
namespace {

constexpr Colour kWhite = {255, 255, 255};
constexpr int kPitch = 64 + kContactGap;

TEST(ContactSheetTest, SetsPicturesInRows) {
  const std::vector<Image> pictures = {
      Plain(64, 64, {200, 0, 0}), Plain(64, 64, {0, 200, 0}),
      Plain(64, 64, {0, 0, 200}), Plain(64, 64, {9, 9, 9})};
  const Image sheet =
      DrawContactSheet(pictures, {}, {.cell = 64, .columns = 3});
  EXPECT_EQ(sheet.width, 2 * kContactMargin + 3 * kPitch - kContactGap);
  EXPECT_EQ(sheet.height, 2 * kContactMargin + 2 * kPitch - kContactGap);
  for (int i = 0; i < 4; ++i) {
    const int x = kContactMargin + i % 3 * kPitch;
    const int y = kContactMargin + i / 3 * kPitch;
    EXPECT_EQ(ColourOf(sheet, x, y), ColourOf(pictures[i], 0, 0));
    EXPECT_EQ(ColourOf(sheet, x + 63, y + 63), ColourOf(pictures[i], 0, 0));
    EXPECT_EQ(ColourOf(sheet, x - 1, y), kWhite);
  }
}

TEST(ContactSheetTest, KeepsTheAspectAndCentres) {
  const std::vector<Image> pictures = {Plain(100, 25, {5, 5, 5})};
  const Image sheet = DrawContactSheet(pictures, {}, {.cell = 64});
  const int middle = kContactMargin + 32;
  EXPECT_EQ(ColourOf(sheet, kContactMargin, middle), (Colour{5, 5, 5}));
  EXPECT_EQ(ColourOf(sheet, kContactMargin + 63, middle), (Colour{5, 5, 5}));
  EXPECT_EQ(ColourOf(sheet, middle, middle - 9), kWhite);
  EXPECT_EQ(ColourOf(sheet, middle, middle - 8), (Colour{5, 5, 5}));
  EXPECT_EQ(ColourOf(sheet, middle, middle + 7), (Colour{5, 5, 5}));
  EXPECT_EQ(ColourOf(sheet, middle, middle + 8), kWhite);
}

TEST(ContactSheetTest, TransparencyIsWhitePaper) {
  const std::vector<Image> pictures = {
      {.width = 1, .height = 1, .channels = 4, .pixels = {0, 0, 0, 0}}};
  const Image sheet = DrawContactSheet(pictures, {}, {.cell = 8});
  EXPECT_EQ(CountInk(sheet, {0, 0, double(sheet.width), double(sheet.height)}),
            0);
}

TEST(ContactSheetTest, WritesCaptionsAndATitle) {
  const std::vector<Image> pictures(3, Plain(64, 64, kWhite));
  const std::vector<std::string> captions = {"one", "", "three"};
  const Image plain = DrawContactSheet(pictures, {}, {.cell = 64});
  const Image sheet =
      DrawContactSheet(pictures, captions, {.cell = 64, .title = "step 5"});
  EXPECT_EQ(sheet.width, plain.width);
  const int caption_height =
      sheet.height - plain.height > 30 ? sheet.height - plain.height - 30 : 0;
  ASSERT_GT(caption_height, 10);
  const double top = sheet.height - kContactMargin - caption_height;
  for (int i = 0; i < 3; ++i) {
    const double x = kContactMargin + i * kPitch;
    const int ink = CountInk(sheet, {x, top, 64, double(caption_height)});
    EXPECT_EQ(ink > 0, !captions[i].empty()) << i;
  }
  EXPECT_GT(CountInk(sheet, {0, 0, double(sheet.width), kContactMargin + 30.0}),
            50);
}

TEST(ContactSheetTest, RefusesWhatCannotBeDrawn) {
  const std::vector<Image> pictures(2, Plain(4, 4, kWhite));
  const std::vector<std::string> captions = {"one"};
  EXPECT_THROW(DrawContactSheet({}), std::invalid_argument);
  EXPECT_THROW(DrawContactSheet(pictures, captions), std::invalid_argument);
  EXPECT_THROW(DrawContactSheet(pictures, {}, {.cell = 0}),
               std::invalid_argument);
  EXPECT_THROW(DrawContactSheet(pictures, {}, {.columns = -1}),
               std::invalid_argument);
}

}  // namespace
}  // namespace keylens
