#ifndef KEYLENS_SRC_RENDER_DRAW_CANVAS_H_
#define KEYLENS_SRC_RENDER_DRAW_CANVAS_H_

#include <cairo.h>
#include <pango/pango.h>

#include <memory>

#include "src/image/image.h"

namespace keylens {

// Owners of the C libraries' objects, which are counted references.
struct CairoDeleter {
  void operator()(cairo_surface_t* surface) const {
    cairo_surface_destroy(surface);
  }
  void operator()(cairo_t* context) const { cairo_destroy(context); }
};
struct PangoDeleter {
  template <typename Object>
  void operator()(Object* object) const {
    g_object_unref(object);
  }
  void operator()(PangoFontDescription* font) const {
    pango_font_description_free(font);
  }
};
template <typename Object>
using CairoPtr = std::unique_ptr<Object, CairoDeleter>;
template <typename Object>
using PangoPtr = std::unique_ptr<Object, PangoDeleter>;

// A sheet of width x height pixels to draw on with Cairo, transparent at first.
class Canvas {
 public:
  // Throws Error when a side is below 1, above 32767 (Cairo's limit), or there
  // is not enough memory.
  Canvas(int width, int height);

  // Owned by the canvas.
  cairo_t* context() const { return context_.get(); }

  int width() const { return cairo_image_surface_get_width(surface_.get()); }
  int height() const { return cairo_image_surface_get_height(surface_.get()); }

  // Row y as Cairo keeps it: native-endian words of 0xAARRGGBB, colours
  // premultiplied by alpha. Ends pending drawing; the pointer is good until the
  // canvas is drawn on again.
  const uint32_t* Row(int y) const;

  // What was drawn, RGBA with straight alpha. A pixel with alpha 0 is 0 in
  // every channel.
  Image ToImage() const;

 private:
  CairoPtr<cairo_surface_t> surface_;
  CairoPtr<cairo_t> context_;
};

// A surface that shows `image` (1, 3 or 4 channels), as a source to paint from.
// Throws as Canvas does.
CairoPtr<cairo_surface_t> SurfaceOf(const Image& image);

}  // namespace keylens

#endif  // KEYLENS_SRC_RENDER_DRAW_CANVAS_H_
