#include "src/render/draw/heat_map.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <stdexcept>
#include <vector>

#include "tests/render/pixels.h"

namespace keylens {
namespace {

TEST(HeatMapTest, InterpolatesBetweenTheMiddlesOfCells) {
  const std::vector<float> values = {0, 8};
  const HeatMap map{values, 1, 2};
  // 8 pixels over 2 cells: the cells' middles lie at 2 and 6, pixels' at x +
  // 0.5.
  EXPECT_FLOAT_EQ(SampleHeatMap(map, 0, 0, 8, 1), 0);
  EXPECT_FLOAT_EQ(SampleHeatMap(map, 2, 0, 8, 1), 1);
  EXPECT_FLOAT_EQ(SampleHeatMap(map, 5, 0, 8, 1), 7);
  EXPECT_FLOAT_EQ(SampleHeatMap(map, 7, 0, 8, 1), 8);
}

TEST(HeatMapTest, RowsRunDownAndColumnsAcross) {
  const std::vector<float> values = {1, 2, 3, 4, 5, 6};
  const HeatMap map{values, 2, 3};
  EXPECT_FLOAT_EQ(SampleHeatMap(map, 0, 0, 3, 2), 1);
  EXPECT_FLOAT_EQ(SampleHeatMap(map, 2, 0, 3, 2), 3);
  EXPECT_FLOAT_EQ(SampleHeatMap(map, 0, 1, 3, 2), 4);
}

TEST(HeatMapTest, WhiteGroundShowsTheScalesColours) {
  const std::vector<float> values = {0.0f, 0.1f, 0.2f, 0.4f};
  const Image drawn =
      OverlayHeat(Plain(4, 1, {255, 255, 255}), {values, 1, 4}, {.top = 0.4f});
  EXPECT_EQ(drawn.channels, 3);
  EXPECT_EQ(ColourOf(drawn, 0, 0), HeatColour(0));
  EXPECT_EQ(ColourOf(drawn, 1, 0), HeatColour(0.25f));
  EXPECT_EQ(ColourOf(drawn, 2, 0), HeatColour(0.5f));
  EXPECT_EQ(ColourOf(drawn, 3, 0), HeatColour(1));
}

TEST(HeatMapTest, DarkensTheColourByThePicture) {
  const std::vector<float> hot = {1};
  const Image drawn = OverlayHeat(Plain(1, 1, {0, 0, 0}), {hot, 1, 1}, {1});
  EXPECT_NEAR(ColourOf(drawn, 0, 0).red, HeatColour(1).red * kShadeOfBlack, 1);

  const Colour red = {255, 0, 0};
  const Image over_red = OverlayHeat(Plain(1, 1, red), {hot, 1, 1}, {1});
  const float shade = kShadeOfBlack + (1 - kShadeOfBlack) * 0.2126f;
  EXPECT_NEAR(ColourOf(over_red, 0, 0).red, HeatColour(1).red * shade, 1);
  EXPECT_NEAR(ColourOf(over_red, 0, 0).blue, HeatColour(1).blue * shade, 1);
}

TEST(HeatMapTest, TransparentPixelsAreWhitePaper) {
  const Image clear{
      .width = 1, .height = 1, .channels = 4, .pixels = {0, 0, 0, 0}};
  const std::vector<float> values = {0.5f};
  EXPECT_EQ(ColourOf(OverlayHeat(clear, {values, 1, 1}, {1}), 0, 0),
            HeatColour(0.5f));
}

TEST(HeatMapTest, RefusesWhatIsNoMap) {
  const std::vector<float> good = {1, 2};
  EXPECT_NO_THROW(CheckHeatMap({good, 1, 2}, "f"));
  EXPECT_THROW(CheckHeatMap({good, 2, 2}, "f"), std::invalid_argument);
  EXPECT_THROW(CheckHeatMap({{}, 0, 0}, "f"), std::invalid_argument);
  for (const float bad : {-0.5f, std::numeric_limits<float>::infinity(),
                          std::numeric_limits<float>::quiet_NaN()}) {
    const std::vector<float> values = {0, bad};
    EXPECT_THROW(CheckHeatMap({values, 1, 2}, "f"), std::invalid_argument)
        << bad;
  }
}

}  // namespace
}  // namespace keylens
