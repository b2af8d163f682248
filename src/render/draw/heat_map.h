#ifndef KEYLENS_SRC_RENDER_DRAW_HEAT_MAP_H_
#define KEYLENS_SRC_RENDER_DRAW_HEAT_MAP_H_

#include <span>

#include "src/image/image.h"
#include "src/render/report/colour_map.h"

namespace keylens {

// Numbers on a grid that covers a picture, rows from the top: rows * cols of
// them, not owned.
struct HeatMap {
  std::span<const float> values;
  int rows = 0;
  int cols = 0;
};

// The number that gets the last colour; 0 gets the first. Numbers beyond it
// look like it.
struct HeatScale {
  float top = 1;

  float Share(float value) const { return value / top; }
};

// Throws std::invalid_argument, with `what` and the shape, when a map has no
// numbers, another count than rows * cols, or a number that is negative or not
// finite.
void CheckHeatMap(const HeatMap& map, const char* what);

// The map at the pixel (x, y) of a picture of width x height, interpolated
// between the middles of its cells and constant beyond the outermost ones.
float SampleHeatMap(const HeatMap& map, int x, int y, int width, int height);

// What remains of a picture under a heat map: its lightness, from kShadeOfBlack
// for black to 1 for white (over white paper where it is transparent).
inline constexpr float kShadeOfBlack = 0.5f;
float ShadeUnder(const uint8_t* rgb);

// The picture in greys, inked with its heat map: each pixel is
// HeatColour(share) times ShadeUnder(picture), in sRGB numbers. White ground
// shows the scale's very colours, and cold places the plain grey picture. RGB,
// of the picture's size.
Image OverlayHeat(const Image& picture, const HeatMap& map,
                  const HeatScale& scale);

}  // namespace keylens

#endif  // KEYLENS_SRC_RENDER_DRAW_HEAT_MAP_H_
