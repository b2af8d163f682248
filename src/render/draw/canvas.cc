#include "src/render/draw/canvas.h"

#include <fmt/format.h>

#include <cstddef>

#include "src/base/error.h"

namespace keylens {
namespace {

CairoPtr<cairo_surface_t> MakeSurface(int width, int height) {
  constexpr int kLargestSide = 32767;
  if (width < 1 || height < 1 || width > kLargestSide ||
      height > kLargestSide) {
    throw Error(fmt::format(
        "cannot draw a sheet of {} x {} pixels: each side must be from 1 to {}",
        width, height, kLargestSide));
  }
  CairoPtr<cairo_surface_t> surface(
      cairo_image_surface_create(CAIRO_FORMAT_ARGB32, width, height));
  if (const cairo_status_t status = cairo_surface_status(surface.get());
      status != CAIRO_STATUS_SUCCESS) {
    throw Error(fmt::format("cannot draw a sheet of {} x {} pixels: {}", width,
                            height, cairo_status_to_string(status)));
  }
  return surface;
}

const uint32_t* RowOf(cairo_surface_t* surface, int y) {
  const unsigned char* data = cairo_image_surface_get_data(surface);
  const ptrdiff_t stride = cairo_image_surface_get_stride(surface);
  return reinterpret_cast<const uint32_t*>(data + y * stride);
}

uint32_t Premultiply(uint32_t colour, uint32_t alpha) {
  return (colour * alpha + 127) / 255;
}

uint8_t Straighten(uint32_t colour, uint32_t alpha) {
  return static_cast<uint8_t>((colour * 255 + alpha / 2) / alpha);
}

uint32_t PremultipliedWord(const uint8_t* pixel, int channels) {
  const uint32_t alpha = channels == 4 ? pixel[3] : 255;
  const uint32_t red = Premultiply(pixel[0], alpha);
  const uint32_t green = Premultiply(pixel[channels == 1 ? 0 : 1], alpha);
  const uint32_t blue = Premultiply(pixel[channels == 1 ? 0 : 2], alpha);
  return alpha << 24 | red << 16 | green << 8 | blue;
}

}  // namespace

Canvas::Canvas(int width, int height)
    : surface_(MakeSurface(width, height)),
      context_(cairo_create(surface_.get())) {}

const uint32_t* Canvas::Row(int y) const {
  cairo_surface_flush(surface_.get());
  return RowOf(surface_.get(), y);
}

Image Canvas::ToImage() const {
  Image image{
      .width = width(), .height = height(), .channels = 4, .pixels = {}};
  image.pixels.resize(static_cast<size_t>(image.width) * image.height * 4);
  uint8_t* to = image.pixels.data();
  for (int y = 0; y < image.height; ++y) {
    const uint32_t* row = Row(y);
    for (int x = 0; x < image.width; ++x, to += 4) {
      const uint32_t alpha = row[x] >> 24;
      if (alpha == 0) continue;
      to[0] = Straighten(row[x] >> 16 & 255, alpha);
      to[1] = Straighten(row[x] >> 8 & 255, alpha);
      to[2] = Straighten(row[x] & 255, alpha);
      to[3] = static_cast<uint8_t>(alpha);
    }
  }
  return image;
}

CairoPtr<cairo_surface_t> SurfaceOf(const Image& image) {
  CairoPtr<cairo_surface_t> surface = MakeSurface(image.width, image.height);
  const uint8_t* from = image.pixels.data();
  for (int y = 0; y < image.height; ++y) {
    auto* row = const_cast<uint32_t*>(RowOf(surface.get(), y));
    for (int x = 0; x < image.width; ++x, from += image.channels)
      row[x] = PremultipliedWord(from, image.channels);
  }
  cairo_surface_mark_dirty(surface.get());
  return surface;
}

}  // namespace keylens
