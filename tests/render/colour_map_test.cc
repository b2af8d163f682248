#include "src/render/report/colour_map.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace keylens {
namespace {

using Lab = std::array<double, 3>;

double Linear(uint8_t encoded) {
  const double c = encoded / 255.0;
  return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
}

// sRGB to OKLab: the way back from what the colour map does.
Lab ToOkLab(Colour colour) {
  const double r = Linear(colour.red), g = Linear(colour.green),
               b = Linear(colour.blue);
  const double l =
      std::cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const double m =
      std::cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const double s =
      std::cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  return {0.2104542553 * l + 0.7936177850 * m - 0.0040720468 * s,
          1.9779984951 * l - 2.4285922050 * m + 0.4505937099 * s,
          0.0259040371 * l + 0.7827717662 * m - 0.8086757660 * s};
}

double Distance(const Lab& from, const Lab& to) {
  return std::hypot(from[0] - to[0], from[1] - to[1], from[2] - to[2]);
}

TEST(ColourMapTest, RunsFromPaperToPlum) {
  const Colour cold = HeatColour(0), hot = HeatColour(1);
  EXPECT_GT(std::min({cold.red, cold.green, cold.blue}), 240);
  EXPECT_LT(ToOkLab(hot)[0], 0.45);
}

TEST(ColourMapTest, StepsAreEvenToTheEye) {
  constexpr int kSteps = 16;
  std::vector<double> steps;
  for (int i = 0; i < kSteps; ++i) {
    steps.push_back(
        Distance(ToOkLab(HeatColour(static_cast<float>(i) / kSteps)),
                 ToOkLab(HeatColour(static_cast<float>(i + 1) / kSteps))));
  }
  const auto [shortest, longest] = std::ranges::minmax_element(steps);
  EXPECT_LT(*longest / *shortest, 1.25);
}

TEST(ColourMapTest, LightnessFallsThroughout) {
  double previous = 2;
  for (int i = 0; i <= 64; ++i) {
    const double lightness = ToOkLab(HeatColour(static_cast<float>(i) / 64))[0];
    EXPECT_LT(lightness, previous) << i;
    previous = lightness;
  }
}

TEST(ColourMapTest, TheMapForDarkPagesRisesInEvenSteps) {
  constexpr int kSteps = 16;
  std::vector<double> steps;
  for (int i = 0; i < kSteps; ++i) {
    const Lab from = ToOkLab(HeatColourOnDark(static_cast<float>(i) / kSteps));
    const Lab to =
        ToOkLab(HeatColourOnDark(static_cast<float>(i + 1) / kSteps));
    EXPECT_GT(to[0], from[0]) << i;
    steps.push_back(Distance(from, to));
  }
  const auto [shortest, longest] = std::ranges::minmax_element(steps);
  EXPECT_LT(*longest / *shortest, 1.25);
  EXPECT_LT(ToOkLab(HeatColourOnDark(0))[0], 0.25);
  EXPECT_GT(ToOkLab(HeatColourOnDark(1))[0], 0.9);
}

TEST(ColourMapTest, EndsAreKeptBeyondThem) {
  EXPECT_EQ(HeatColour(-3), HeatColour(0));
  EXPECT_EQ(HeatColour(7), HeatColour(1));
}

}  // namespace
}  // namespace keylens
