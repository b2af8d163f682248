#include "src/render/draw/grid.h"

#include <cmath>

namespace keylens {
namespace {

constexpr int kLongestSingleRow = 6;
constexpr double kAspect = 1.5;

int RoundUp(int count, int per_row) { return (count + per_row - 1) / per_row; }

// How far the outline is from the wanted one (the same for twice as wide and
// twice as high), and how much of it stays empty.
double Misfit(const Grid& grid, int count, double cell_width,
              double cell_height) {
  const double outline =
      std::log(grid.cols * cell_width / (grid.rows * cell_height * kAspect));
  const double filled = static_cast<double>(count) / (grid.rows * grid.cols);
  return std::abs(outline) + 2 * (1 - filled);
}

}  // namespace

Grid ChooseGrid(int count, double cell_width, double cell_height) {
  if (count <= kLongestSingleRow) return {1, count};
  Grid best{count, 1};
  for (int rows = 1; rows < count; ++rows) {
    const Grid grid{rows, RoundUp(count, rows)};
    if (RoundUp(count, grid.cols) != rows) continue;
    if (Misfit(grid, count, cell_width, cell_height) <
        Misfit(best, count, cell_width, cell_height)) {
      best = grid;
    }
  }
  return best;
}

}  // namespace keylens
