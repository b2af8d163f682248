#include "src/render/draw/drawing.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numbers>
#include <utility>

#include "src/base/error.h"
#include "src/render/draw/canvas.h"
#include "src/render/draw/paint.h"

namespace keylens::render {
namespace {

constexpr Colour kPaper = {255, 255, 255};
constexpr int kLongestSide = 32767;  // Cairo's
constexpr double kRoomOfText = 20000;

void CheckSize(const Drawing& drawing) {
  const int64_t pixels = int64_t{drawing.width} * drawing.height;
  if (std::max(drawing.width, drawing.height) <= kLongestSide &&
      pixels <= kMaxPixels)
    return;
  throw Error(
      fmt::format("a picture of {} x {} pixels is too large for PNG; write "
                  ".html, .json or .svg",
                  drawing.width, drawing.height));
}

void Paint(const Canvas& canvas, const Drawing::Fill& fill) {
  FillBox(canvas, fill.box, fill.colour);
}

void Paint(const Canvas& canvas, const Drawing::Text& text) {
  cairo_t* context = canvas.context();
  cairo_save(context);
  cairo_translate(context, text.x, text.y);
  cairo_rotate(context, text.angle * std::numbers::pi / 180);
  const double height = 2 * text.style.size;
  DrawText(canvas, text.text,
           {-kRoomOfText * ShareOfRoom(text.style.align), -height / 2,
            kRoomOfText, height},
           text.style);
  cairo_restore(context);
}

Image Enlarge(const Drawing::Cells& cells) {
  Image image{.width = cells.cols * cells.cell_width,
              .height = cells.rows * cells.cell_height,
              .channels = 3,
              .pixels = {}};
  image.pixels.reserve(static_cast<std::size_t>(image.width) * image.height *
                       3);
  for (int y = 0; y < image.height; ++y) {
    const auto row = static_cast<std::size_t>(y / cells.cell_height);
    for (int x = 0; x < image.width; ++x) {
      const Colour colour =
          cells.colours[row * cells.cols + x / cells.cell_width];
      image.pixels.insert(image.pixels.end(),
                          {colour.red, colour.green, colour.blue});
    }
  }
  return image;
}

void Paint(const Canvas& canvas, const Drawing::Cells& cells) {
  PaintImage(canvas, Enlarge(cells), cells.x, cells.y);
}

void Paint(const Canvas& canvas, const Drawing::Picture& picture) {
  PaintImage(canvas, picture.image, picture.x, picture.y);
}

void Move(Drawing::Fill& fill, int dy) { fill.box.y += dy; }
void Move(Drawing::Text& text, int dy) { text.y += dy; }
void Move(Drawing::Cells& cells, int dy) { cells.y += dy; }
void Move(Drawing::Picture& picture, int dy) { picture.y += dy; }

}  // namespace

void AppendDrawing(Drawing part, int dy, Drawing& whole) {
  for (auto& element : part.elements) {
    std::visit([&](auto& shape) { Move(shape, dy); }, element);
    whole.elements.push_back(std::move(element));
  }
}

Image PaintDrawing(const Drawing& drawing) {
  CheckSize(drawing);
  const Canvas canvas(drawing.width, drawing.height);
  const Box all = {0, 0, static_cast<double>(drawing.width),
                   static_cast<double>(drawing.height)};
  FillBox(canvas, all, kPaper);
  for (const auto& element : drawing.elements) {
    std::visit([&](const auto& shape) { Paint(canvas, shape); }, element);
  }
  return OverWhite(canvas.ToImage());
}

}  // namespace keylens::render
