#include "src/render/draw/grid.h"

#include <gtest/gtest.h>

namespace keylens {
namespace {

TEST(GridTest, FewCellsMakeOneRow) {
  for (int count = 1; count <= 6; ++count) {
    const Grid grid = ChooseGrid(count, 100, 100);
    EXPECT_EQ(grid.rows, 1);
    EXPECT_EQ(grid.cols, count);
  }
}

TEST(GridTest, HoldsAllWithNoRowEmpty) {
  for (int count = 1; count <= 200; ++count) {
    for (const double height : {20.0, 100.0, 400.0}) {
      const Grid grid = ChooseGrid(count, 100, height);
      EXPECT_GE(grid.rows * grid.cols, count);
      EXPECT_LT((grid.rows - 1) * grid.cols, count);
      EXPECT_LE(grid.cols, count);
    }
  }
}

TEST(GridTest, OutlineIsAboutThreeToTwo) {
  for (const int count : {24, 54, 78, 96}) {
    const Grid grid = ChooseGrid(count, 100, 120);
    EXPECT_NEAR(grid.cols * 100.0 / (grid.rows * 120.0), 1.5, 0.5) << count;
  }
}

}  // namespace
}  // namespace keylens
