#ifndef KEYLENS_SRC_RENDER_MAP_SHEET_LAYOUT_H_
#define KEYLENS_SRC_RENDER_MAP_SHEET_LAYOUT_H_

#include <vector>

#include "src/render/text.h"

namespace keylens {

// Where the pieces of a map sheet go; whole pixels throughout.
struct MapSheetLayout {
  struct Cell {
    Box label;
    Box tile;
  };

  int width = 0;
  int height = 0;
  Box title;
  Box note;
  Cell picture;
  std::vector<Cell> words;
  Box legend;
};

// The sheet's margin on every side, in pixels.
inline constexpr int kSheetMargin = 32;

// The width of what stands between the margins is at least this, for the title
// and the legend.
inline constexpr int kNarrowestContent = 420;

// A sheet for a picture of the given size (pixels) and `word_count` maps, under
// a title of `title_lines` lines. Tiles have the picture's aspect; the longer
// side is 192 pixels, less when there are many words.
MapSheetLayout LayOutMapSheet(int picture_width, int picture_height,
                              int word_count, int title_lines);

// The width that the title of that sheet has, to count its lines.
int TitleWidth(int picture_width, int picture_height, int word_count);

}  // namespace keylens

#endif  // KEYLENS_SRC_RENDER_MAP_SHEET_LAYOUT_H_
