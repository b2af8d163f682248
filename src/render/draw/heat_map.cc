#include "src/render/draw/heat_map.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace keylens {
namespace {

// Where a pixel's middle falls between the middles of two cells.
struct Between {
  int first, second;
  float weight_of_second;
};

Between Locate(int pixel, int pixels, int cells) {
  const float place = (static_cast<float>(pixel) + 0.5f) *
                          static_cast<float>(cells) /
                          static_cast<float>(pixels) -
                      0.5f;
  const float inside = std::clamp(place, 0.0f, static_cast<float>(cells - 1));
  const int first = static_cast<int>(inside);
  return {first, std::min(first + 1, cells - 1),
          inside - static_cast<float>(first)};
}

uint8_t Ink(uint8_t colour, float shade) {
  return static_cast<uint8_t>(std::lround(static_cast<float>(colour) * shade));
}

}  // namespace

void CheckHeatMap(const HeatMap& map, const char* what) {
  const bool fits =
      map.rows > 0 && map.cols > 0 &&
      map.values.size() == static_cast<size_t>(map.rows) * map.cols;
  if (!fits) {
    throw std::invalid_argument(fmt::format("{}: {} numbers for a map [{}, {}]",
                                            what, map.values.size(), map.rows,
                                            map.cols));
  }
  for (const float value : map.values) {
    if (!std::isfinite(value) || value < 0) {
      throw std::invalid_argument(
          fmt::format("{}: a heat map with the number {}", what, value));
    }
  }
}

float SampleHeatMap(const HeatMap& map, int x, int y, int width, int height) {
  const Between row = Locate(y, height, map.rows);
  const Between col = Locate(x, width, map.cols);
  const auto along_row = [&](int r) {
    const float* values = &map.values[static_cast<size_t>(r) * map.cols];
    return std::lerp(values[col.first], values[col.second],
                     col.weight_of_second);
  };
  return std::lerp(along_row(row.first), along_row(row.second),
                   row.weight_of_second);
}

float ShadeUnder(const uint8_t* rgb) {
  // Luma of Rec. 709.
  const float luma =
      (0.2126f * rgb[0] + 0.7152f * rgb[1] + 0.0722f * rgb[2]) / 255.0f;
  return std::lerp(kShadeOfBlack, 1.0f, luma);
}

Image OverlayHeat(const Image& picture, const HeatMap& map,
                  const HeatScale& scale) {
  Image inked = OverWhite(picture);
  uint8_t* pixel = inked.pixels.data();
  for (int y = 0; y < inked.height; ++y) {
    for (int x = 0; x < inked.width; ++x, pixel += 3) {
      const Colour colour = HeatColour(
          scale.Share(SampleHeatMap(map, x, y, inked.width, inked.height)));
      const float shade = ShadeUnder(pixel);
      pixel[0] = Ink(colour.red, shade);
      pixel[1] = Ink(colour.green, shade);
      pixel[2] = Ink(colour.blue, shade);
    }
  }
  return inked;
}

}  // namespace keylens
