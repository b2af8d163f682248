#include "src/render/map_sheet_layout.h"

#include <algorithm>
#include <cmath>

#include "src/render/colour_bar.h"
#include "src/render/grid.h"

namespace keylens {
namespace {

constexpr int kColumnGap = 16;
constexpr int kRowGap = 14;
constexpr int kLabelHeight = 20;
constexpr int kLabelGap = 3;  // between a label and its tile
constexpr int kTitleLine = 28;
constexpr int kNoteHeight = 20;
constexpr int kBelowHeader = 16;
constexpr int kAboveLegend = 22;
constexpr int kLegendWidth = 360;

struct Size {
  int width, height;
};

int LongerSide(int tiles) {
  if (tiles <= 24) return 192;
  if (tiles <= 48) return 160;
  return 128;
}

Size TileSize(int picture_width, int picture_height, int tiles) {
  const double scale = static_cast<double>(LongerSide(tiles)) /
                       std::max(picture_width, picture_height);
  return {std::max(1, static_cast<int>(std::lround(picture_width * scale))),
          std::max(1, static_cast<int>(std::lround(picture_height * scale)))};
}

// The room that a tile takes with its label and the gaps after it.
Size Pitch(const Size& tile) {
  return {tile.width + kColumnGap,
          kLabelHeight + kLabelGap + tile.height + kRowGap};
}

int ContentWidth(const Grid& grid, const Size& tile) {
  return std::max(kNarrowestContent,
                  grid.cols * Pitch(tile).width - kColumnGap);
}

Grid GridFor(const Size& tile, int tiles) {
  return ChooseGrid(tiles, Pitch(tile).width, Pitch(tile).height);
}

MapSheetLayout::Cell CellAt(int index, const Grid& grid, const Size& tile,
                            double top) {
  const double x = kSheetMargin + index % grid.cols * Pitch(tile).width;
  const double y = top + index / grid.cols * Pitch(tile).height;
  const double width = tile.width, height = tile.height;
  return {.label = {x, y, width, kLabelHeight},
          .tile = {x, y + kLabelHeight + kLabelGap, width, height}};
}

}  // namespace

int TitleWidth(int picture_width, int picture_height, int word_count) {
  const Size tile = TileSize(picture_width, picture_height, word_count + 1);
  return ContentWidth(GridFor(tile, word_count + 1), tile);
}

MapSheetLayout LayOutMapSheet(int picture_width, int picture_height,
                              int word_count, int title_lines) {
  const int tiles = word_count + 1;
  const Size tile = TileSize(picture_width, picture_height, tiles);
  const Grid grid = GridFor(tile, tiles);
  const double content = ContentWidth(grid, tile);
  MapSheetLayout layout;
  const double title_height = title_lines * kTitleLine;
  layout.title = {kSheetMargin, kSheetMargin, content, title_height};
  layout.note = {kSheetMargin, kSheetMargin + title_height, content,
                 kNoteHeight};
  const double top = layout.note.y + kNoteHeight + kBelowHeader;
  layout.picture = CellAt(0, grid, tile, top);
  for (int word = 0; word < word_count; ++word) {
    layout.words.push_back(CellAt(word + 1, grid, tile, top));
  }
  const double bottom = top + grid.rows * Pitch(tile).height - kRowGap;
  layout.legend = {kSheetMargin, bottom + kAboveLegend,
                   std::min<double>(content, kLegendWidth), kColourBarHeight};
  layout.width = static_cast<int>(content) + 2 * kSheetMargin;
  layout.height =
      static_cast<int>(layout.legend.y) + kColourBarHeight + kSheetMargin;
  return layout;
}

}  // namespace keylens
