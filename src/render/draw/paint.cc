#include "src/render/draw/paint.h"

namespace keylens {

void SetColour(const Canvas& canvas, Colour colour) {
  cairo_set_source_rgb(canvas.context(), colour.red / 255.0,
                       colour.green / 255.0, colour.blue / 255.0);
}

void FillBox(const Canvas& canvas, const Box& box, Colour colour) {
  SetColour(canvas, colour);
  cairo_rectangle(canvas.context(), box.x, box.y, box.width, box.height);
  cairo_fill(canvas.context());
}

void PaintImage(const Canvas& canvas, const Image& image, int x, int y) {
  const CairoPtr<cairo_surface_t> surface = SurfaceOf(image);
  cairo_set_source_surface(canvas.context(), surface.get(), x, y);
  cairo_paint(canvas.context());
}

}  // namespace keylens
