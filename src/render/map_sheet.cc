#include "src/render/map_sheet.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <optional>
#include <stdexcept>

#include "src/render/canvas.h"
#include "src/render/colour_bar.h"
#include "src/render/paint.h"
#include "src/render/text.h"

namespace keylens {
namespace {

constexpr Colour kPaper = {255, 255, 255};
constexpr Colour kInk = {34, 34, 34};
constexpr Colour kQuiet = {120, 120, 120};
constexpr Colour kFrame = {214, 214, 214};
constexpr TextStyle kTitleStyle = {
    .size = 20, .bold = true, .colour = kInk, .max_lines = 3};
constexpr TextStyle kNoteStyle = {.size = 12.5, .colour = kQuiet};
constexpr double kLabelSize = 13.5;
constexpr double kShareSize = 11;
constexpr double kNarrowestLabel = 40;  // beside the share

void Check(const MapSheet& sheet) {
  if (sheet.picture == nullptr || sheet.picture->pixels.empty() ||
      sheet.words.empty()) {
    throw std::invalid_argument(
        "DrawMapSheet: a sheet needs a picture and at least one word");
  }
  for (const WordMap& word : sheet.words)
    CheckHeatMap(word.map, "DrawMapSheet");
}

float LargestWeight(const HeatMap& map) {
  return *std::ranges::max_element(map.values);
}

// The largest weight of the words that are special or not; 0 when there are
// none.
float LargestOf(const std::vector<WordMap>& words, bool special) {
  float largest = 0;
  for (const WordMap& word : words) {
    if (word.special == special) {
      largest = std::max(largest, LargestWeight(word.map));
    }
  }
  return largest;
}

std::string MeanInPercent(const HeatMap& map) {
  const double sum = std::accumulate(map.values.begin(), map.values.end(), 0.0);
  const double percent = 100 * sum / static_cast<double>(map.values.size());
  return percent > 0 && percent < 0.95 ? fmt::format("{:.1f} %", percent)
                                       : fmt::format("{:.0f} %", percent);
}

void DrawTile(const Canvas& canvas, const Box& tile, const Image& image) {
  PaintImage(canvas, image, static_cast<int>(tile.x), static_cast<int>(tile.y));
  FrameBox(canvas, tile, kFrame);
}

void DrawWord(const Canvas& canvas, const MapSheetLayout::Cell& cell,
              const WordMap& word, const Image& tile_picture,
              const HeatScale& scale) {
  const std::string share = MeanInPercent(word.map);
  const TextStyle share_style = {
      .size = kShareSize, .colour = kQuiet, .align = Align::kRight};
  Box label = cell.label;
  const double share_width = MeasureText(share, share_style) + 6;
  if (label.width - share_width >= kNarrowestLabel) {
    DrawText(canvas, share, label, share_style);
    label.width -= share_width;
  }
  DrawText(canvas, word.word, label,
           {.size = kLabelSize,
            .bold = !word.special,
            .colour = word.special ? kQuiet : kInk});
  DrawTile(canvas, cell.tile, OverlayHeat(tile_picture, word.map, scale));
}

}  // namespace

HeatScale ChooseScale(const std::vector<WordMap>& words) {
  const float of_words = LargestOf(words, /*special=*/false);
  const float top = of_words > 0 ? of_words : LargestOf(words, true);
  return {top > 0 ? top : 1.0f};
}

MapSheetLayout LayoutOf(const MapSheet& sheet) {
  Check(sheet);
  const int width = sheet.picture->width, height = sheet.picture->height;
  const int words = static_cast<int>(sheet.words.size());
  const int title_lines =
      CountLines(sheet.title, TitleWidth(width, height, words), kTitleStyle);
  return LayOutMapSheet(width, height, words, title_lines);
}

Image DrawMapSheet(const MapSheet& sheet) {
  const MapSheetLayout layout = LayoutOf(sheet);
  const Canvas canvas(layout.width, layout.height);
  const Box all = {0, 0, static_cast<double>(layout.width),
                   static_cast<double>(layout.height)};
  FillBox(canvas, all, kPaper);
  DrawText(canvas, sheet.title, layout.title, kTitleStyle);
  DrawText(canvas, sheet.note, layout.note, kNoteStyle);

  const Box& tile = layout.picture.tile;
  const Image tile_picture =
      OverWhite(Resize(*sheet.picture, static_cast<int>(tile.width),
                       static_cast<int>(tile.height)));
  DrawText(canvas, "picture", layout.picture.label,
           {.size = kLabelSize, .colour = kQuiet});
  DrawTile(canvas, tile, tile_picture);

  const HeatScale scale = ChooseScale(sheet.words);
  for (size_t i = 0; i < sheet.words.size(); ++i) {
    DrawWord(canvas, layout.words[i], sheet.words[i], tile_picture, scale);
  }
  const bool open_end = LargestOf(sheet.words, true) > scale.top;
  DrawColourBar(canvas, layout.legend,
                "attention weight (percent: mean over the picture)", scale,
                open_end);
  return OverWhite(canvas.ToImage());
}

}  // namespace keylens
