#ifndef KEYLENS_SRC_RENDER_DRAW_GRID_H_
#define KEYLENS_SRC_RENDER_DRAW_GRID_H_

namespace keylens {

struct Grid {
  int rows = 0;
  int cols = 0;
};

// The grid for `count` cells of cell_width x cell_height pixels (gaps included)
// whose outline is close to three to two and leaves few cells empty; no row or
// column is empty. Up to six cells make a single row. count is at least 1.
Grid ChooseGrid(int count, double cell_width, double cell_height);

}  // namespace keylens

#endif  // KEYLENS_SRC_RENDER_DRAW_GRID_H_
