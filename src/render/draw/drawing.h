#ifndef KEYLENS_SRC_RENDER_DRAW_DRAWING_H_
#define KEYLENS_SRC_RENDER_DRAW_DRAWING_H_

#include <string>
#include <variant>
#include <vector>

#include "src/image/image.h"
#include "src/render/draw/text.h"
#include "src/render/report/colour_map.h"

namespace keylens::render {

// What is to be seen on a sheet, before it is known on what it is drawn: one
// layout, of which PaintDrawing and DrawingSvg make a PNG's pixels and an SVG.
struct Drawing {
  struct Fill {
    Box box;
    Colour colour;
  };

  // One line of text, already fitted and printable. It starts, has its middle
  // or ends at (x, y), as style.align says, where y is the middle of its
  // height, and runs at `angle` degrees, clockwise from left to right.
  struct Text {
    std::string text;
    double x = 0, y = 0;
    double angle = 0;
    TextStyle style;
  };

  // A grid of cells whose sides are whole pixels, from the corner (x, y).
  struct Cells {
    int x = 0, y = 0;
    int cell_width = 1, cell_height = 1;
    int rows = 0, cols = 0;
    std::vector<Colour> colours;  // rows * cols, rows from the top
    std::string name;             // for those who ask what this is
  };

  // A picture, RGB, pixel by pixel, from the corner (x, y).
  struct Picture {
    int x = 0, y = 0;
    Image image;
    std::string name;
  };

  int width = 0, height = 0;
  std::vector<std::variant<Fill, Text, Cells, Picture>>
      elements;  // later over earlier
};

// Adds the elements of `part`, moved down by `dy` pixels.
void AppendDrawing(Drawing part, int dy, Drawing& whole);

// The drawing over white paper, RGB. Throws Error when a side is above 32767
// pixels or the picture above kMaxPixels, naming the formats without limit.
Image PaintDrawing(const Drawing& drawing);

// An SVG document with the title. Text is <text>; cells of at least
// kSmallestVectorCell pixels are paths, one for each colour, smaller ones a
// PNG of a pixel for each cell.
inline constexpr int kSmallestVectorCell = 4;
std::string DrawingSvg(const Drawing& drawing, const std::string& title);

}  // namespace keylens::render

#endif  // KEYLENS_SRC_RENDER_DRAW_DRAWING_H_
