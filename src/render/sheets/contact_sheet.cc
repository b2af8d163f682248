#include "src/render/sheets/contact_sheet.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "src/render/draw/canvas.h"
#include "src/render/draw/grid.h"
#include "src/render/draw/paint.h"
#include "src/render/draw/text.h"

namespace keylens {
namespace {

constexpr int kCaptionHeight = 32;
constexpr int kTitleHeight = 30;
constexpr TextStyle kCaptionStyle = {.size = 11,
                                     .colour = {90, 90, 90},
                                     .align = Align::kCentre,
                                     .max_lines = 2};
constexpr TextStyle kTitleStyle = {.size = 15, .bold = true};

void Check(std::span<const Image> pictures,
           std::span<const std::string> captions,
           const ContactSheetOptions& options) {
  const bool captions_fit =
      captions.empty() || captions.size() == pictures.size();
  if (pictures.empty() || !captions_fit || options.cell < 1 ||
      options.columns < 0) {
    throw std::invalid_argument(fmt::format(
        "DrawContactSheet: {} pictures with {} captions, cell {}, {} columns",
        pictures.size(), captions.size(), options.cell, options.columns));
  }
}

struct Layout {
  Grid grid;
  int cell;
  int row_height;  // of the cell and its caption
  int top;         // of the first row

  int width() const {
    return 2 * kContactMargin + grid.cols * (cell + kContactGap) - kContactGap;
  }
  int height() const {
    return top + grid.rows * (row_height + kContactGap) - kContactGap +
           kContactMargin;
  }
  Box CellAt(int index) const {
    const int row = index / grid.cols;
    const int col = index % grid.cols;
    const int x = kContactMargin + col * (cell + kContactGap);
    const int y = top + row * (row_height + kContactGap);
    return {static_cast<double>(x), static_cast<double>(y),
            static_cast<double>(cell), static_cast<double>(cell)};
  }
};

Layout LayOut(int count, bool with_captions,
              const ContactSheetOptions& options) {
  Layout layout;
  layout.cell = options.cell;
  layout.row_height = options.cell + (with_captions ? kCaptionHeight : 0);
  layout.top = kContactMargin + (options.title.empty() ? 0 : kTitleHeight);
  if (options.columns > 0) {
    const int cols = std::min(options.columns, count);
    layout.grid = {(count + cols - 1) / cols, cols};
  } else {
    layout.grid = ChooseGrid(count, options.cell + kContactGap,
                             layout.row_height + kContactGap);
  }
  return layout;
}

// The picture over white with `cell` pixels on its longer side.
Image FitInto(const Image& picture, int cell) {
  const double scale =
      static_cast<double>(cell) / std::max(picture.width, picture.height);
  const auto side = [&](int pixels) {
    return std::max(1, static_cast<int>(std::lround(pixels * scale)));
  };
  return OverWhite(Resize(picture, side(picture.width), side(picture.height)));
}

void DrawCell(const Canvas& canvas, const Box& cell, const Image& picture) {
  const Image fitted = FitInto(picture, static_cast<int>(cell.width));
  PaintImage(canvas, fitted,
             static_cast<int>(cell.x) +
                 (static_cast<int>(cell.width) - fitted.width) / 2,
             static_cast<int>(cell.y) +
                 (static_cast<int>(cell.height) - fitted.height) / 2);
}

}  // namespace

Image DrawContactSheet(std::span<const Image> pictures,
                       std::span<const std::string> captions,
                       const ContactSheetOptions& options) {
  Check(pictures, captions, options);
  const Layout layout =
      LayOut(static_cast<int>(pictures.size()), !captions.empty(), options);
  const Canvas canvas(layout.width(), layout.height());
  const double content = layout.width() - 2 * kContactMargin;
  FillBox(canvas, {0, 0, double(layout.width()), double(layout.height())},
          {255, 255, 255});
  DrawText(canvas, options.title,
           {kContactMargin, kContactMargin - 4.0, content, kTitleHeight},
           kTitleStyle);
  for (size_t i = 0; i < pictures.size(); ++i) {
    const Box cell = layout.CellAt(static_cast<int>(i));
    DrawCell(canvas, cell, pictures[i]);
    if (captions.empty()) continue;
    DrawText(canvas, captions[i],
             {cell.x, cell.y + cell.height, cell.width, kCaptionHeight},
             kCaptionStyle);
  }
  return OverWhite(canvas.ToImage());
}

}  // namespace keylens
