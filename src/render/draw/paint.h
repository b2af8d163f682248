#ifndef KEYLENS_SRC_RENDER_DRAW_PAINT_H_
#define KEYLENS_SRC_RENDER_DRAW_PAINT_H_

#include "src/image/image.h"
#include "src/render/draw/canvas.h"
#include "src/render/draw/text.h"
#include "src/render/report/colour_map.h"

namespace keylens {

// The colour of what is drawn next with the canvas's context.
void SetColour(const Canvas& canvas, Colour colour);

// Fills the box; sides on whole pixels are sharp.
void FillBox(const Canvas& canvas, const Box& box, Colour colour);

// Copies the image, pixel by pixel, with its top left corner at (x, y), over
// what is there.
void PaintImage(const Canvas& canvas, const Image& image, int x, int y);

}  // namespace keylens

#endif  // KEYLENS_SRC_RENDER_DRAW_PAINT_H_
