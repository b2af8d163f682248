#include "src/render/colour_bar.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "src/render/paint.h"
#include "tests/render/pixels.h"

namespace keylens {
namespace {

using ::testing::ElementsAre;

std::vector<std::string> Labels(double top) {
  std::vector<std::string> labels;
  for (const Tick& tick : ChooseTicks(top)) labels.push_back(tick.label);
  return labels;
}

TEST(ChooseTicksTest, WritesRoundNumbers) {
  EXPECT_THAT(Labels(1), ElementsAre("0", "0.2", "0.4", "0.6", "0.8", "1.0"));
  EXPECT_THAT(Labels(0.38), ElementsAre("0", "0.1", "0.2", "0.3"));
  EXPECT_THAT(Labels(0.052), ElementsAre("0", "0.02", "0.04"));
  EXPECT_THAT(Labels(70), ElementsAre("0", "20", "40", "60"));
}

TEST(ChooseTicksTest, AreThreeToSixForAnyTop) {
  for (double top = 1e-6; top < 1e6; top *= 1.07) {
    const std::vector<Tick> ticks = ChooseTicks(top);
    EXPECT_GE(ticks.size(), 3) << top;
    EXPECT_LE(ticks.size(), 6) << top;
    EXPECT_LE(ticks.back().value, top * 1.000001);
    EXPECT_EQ(ticks.front().label, "0");
  }
}

Image DrawBar(bool open_end) {
  const Canvas canvas(240, 60);
  FillBox(canvas, {0, 0, 240, 60}, {255, 255, 255});
  DrawColourBar(canvas, {20, 5, 200, kColourBarHeight}, "weight", {.top = 0.5f},
                open_end);
  return canvas.ToImage();
}

constexpr int kMiddle = 5 + kColourBarTop + kColourBarThickness / 2;

TEST(ColourBarTest, EndsInTheScalesEnds) {
  const Image bar = DrawBar(/*open_end=*/false);
  EXPECT_EQ(ColourOf(bar, 20, kMiddle), HeatColour(0));
  EXPECT_EQ(ColourOf(bar, 219, kMiddle), HeatColour(1));
  EXPECT_EQ(ColourOf(bar, 220, kMiddle), (Colour{255, 255, 255}));
  EXPECT_EQ(ColourOf(bar, 119, kMiddle), HeatColour(99.0f / 199));
}

TEST(ColourBarTest, AnOpenEndIsAnArrow) {
  const Image bar = DrawBar(/*open_end=*/true);
  const int end = 219 - kColourBarThickness;
  EXPECT_EQ(ColourOf(bar, end, kMiddle), HeatColour(1));
  EXPECT_EQ(ColourOf(bar, end + 5, kMiddle), HeatColour(1));
  EXPECT_EQ(ColourOf(bar, 217, 5 + kColourBarTop), (Colour{255, 255, 255}));
}

TEST(ColourBarTest, TicksStandUnderTheirColours) {
  const Image bar = DrawBar(/*open_end=*/false);
  const double below = 5 + kColourBarTop + kColourBarThickness + 1;
  for (int i = 0; i <= 5; ++i) {
    const double x = 20 + 199 * i / 5;
    EXPECT_EQ(CountInk(bar, {x, below, 1, 1}), 1) << i;
    EXPECT_GT(CountInk(bar, {x - 8, below + 4, 16, 12}), 5) << i;
  }
  EXPECT_EQ(CountInk(bar, {20, below, 200, 1}), 6);
}

}  // namespace
}  // namespace keylens
