#ifndef KEYLENS_SRC_RENDER_COLOUR_BAR_H_
#define KEYLENS_SRC_RENDER_COLOUR_BAR_H_

#include <string>
#include <string_view>
#include <vector>

#include "src/render/canvas.h"
#include "src/render/heat_map.h"
#include "src/render/text.h"

namespace keylens {

// A number on a scale and how it is written.
struct Tick {
  double value = 0;
  std::string label;
};

// Round numbers from 0 to at most `top` (above 0), 3 to 6 of them, a step of 1,
// 2 or 5 times a power of ten apart and written with the same decimals.
std::vector<Tick> ChooseTicks(double top);

// How a colour bar takes up its height, in pixels.
inline constexpr int kColourBarHeight = 48;     // title, bar, ticks
inline constexpr int kColourBarThickness = 12;  // of the bar itself
inline constexpr int kColourBarTop = 18;        // from the box's top to the bar

// The legend of a heat map, in a box at least kColourBarHeight high: `title`
// above a horizontal bar that runs from HeatColour(0) at the box's left side to
// HeatColour(1), ticks with numbers below. With `open_end`, which says that
// numbers beyond the scale's top are drawn too, the last kColourBarThickness
// pixels are an arrow head.
void DrawColourBar(const Canvas& canvas, const Box& box, std::string_view title,
                   const HeatScale& scale, bool open_end);

}  // namespace keylens

#endif  // KEYLENS_SRC_RENDER_COLOUR_BAR_H_
