#include "src/render/map_sheet.h"

#include <gtest/gtest.h>

#include <deque>
#include <limits>
#include <stdexcept>

#include "src/render/colour_bar.h"
#include "tests/render/pixels.h"

namespace keylens {
namespace {

constexpr Colour kWhite = {255, 255, 255};

// A sheet with its picture and numbers.
class Example {
 public:
  explicit Example(int width = 64, int height = 64,
                   Colour colour = {255, 255, 255})
      : picture_(Plain(width, height, colour)) {
    sheet_.picture = &picture_;
    sheet_.title = "red heart";
  }

  // A word whose map [1, 1] is `value` everywhere.
  Example& Add(std::string word, float value, bool special = false) {
    return Add(std::move(word), {value}, 1, 1, special);
  }
  Example& Add(std::string word, std::vector<float> values, int rows, int cols,
               bool special = false) {
    values_.push_back(std::move(values));
    sheet_.words.push_back(
        {std::move(word), special, {values_.back(), rows, cols}});
    return *this;
  }

  MapSheet& sheet() { return sheet_; }

 private:
  Image picture_;
  std::deque<std::vector<float>> values_;
  MapSheet sheet_;
};

Colour MiddleOf(const Image& image, const Box& box) {
  return ColourOf(image, static_cast<int>(box.x + box.width / 2),
                  static_cast<int>(box.y + box.height / 2));
}

TEST(MapSheetTest, TilesHaveTheColoursOfOneScale) {
  Example example;
  example.Add("red", 0.1f).Add("heart", 0.4f).Add("⟨end⟩", 0.2f, true);
  const Image drawn = DrawMapSheet(example.sheet());
  const MapSheetLayout layout = LayoutOf(example.sheet());
  EXPECT_EQ(MiddleOf(drawn, layout.picture.tile), kWhite);
  EXPECT_EQ(MiddleOf(drawn, layout.words[0].tile), HeatColour(0.25f));
  EXPECT_EQ(MiddleOf(drawn, layout.words[1].tile), HeatColour(1));
  EXPECT_EQ(MiddleOf(drawn, layout.words[2].tile), HeatColour(0.5f));
}

TEST(MapSheetTest, AHotSpotStandsWhereTheMapHasIt) {
  Example example(64, 64, {0, 0, 0});
  std::vector<float> values(16 * 16, 0.0f);
  values[3 * 16 + 12] = 0.8f;  // row 3, column 12
  example.Add("spot", values, 16, 16);
  const Image drawn = DrawMapSheet(example.sheet());
  const Box tile = LayoutOf(example.sheet()).words[0].tile;
  // A pixel in the middle of the cell; an even number of pixels has two.
  const int x = static_cast<int>(tile.x + tile.width * 12.5 / 16);
  const int y = static_cast<int>(tile.y + tile.height * 3.5 / 16);
  const float share =
      SampleHeatMap({values, 16, 16}, x - static_cast<int>(tile.x),
                    y - static_cast<int>(tile.y), static_cast<int>(tile.width),
                    static_cast<int>(tile.height)) /
      0.8f;
  EXPECT_GT(share, 0.85f);
  const Colour spot = ColourOf(drawn, x, y);
  EXPECT_NEAR(spot.red, HeatColour(share).red * kShadeOfBlack, 1);
  EXPECT_NEAR(spot.green, HeatColour(share).green * kShadeOfBlack, 1);
  EXPECT_NEAR(spot.blue, HeatColour(share).blue * kShadeOfBlack, 1);
  EXPECT_NEAR(MiddleOf(drawn, tile).red, HeatColour(0).red * kShadeOfBlack, 1);
}

TEST(MapSheetTest, SpecialTokensDoNotStretchTheScale) {
  Example example;
  example.Add("⟨start⟩", 0.9f, true).Add("heart", 0.1f);
  EXPECT_FLOAT_EQ(ChooseScale(example.sheet().words).top, 0.1f);
  const Image drawn = DrawMapSheet(example.sheet());
  const MapSheetLayout layout = LayoutOf(example.sheet());
  EXPECT_EQ(MiddleOf(drawn, layout.words[0].tile), HeatColour(1));
  // The legend says that there is more: its end is an arrow.
  const int right = static_cast<int>(layout.legend.x + layout.legend.width) - 2;
  const int bar_top = static_cast<int>(layout.legend.y) + kColourBarTop;
  EXPECT_EQ(ColourOf(drawn, right, bar_top), kWhite);

  Example only_special;
  only_special.Add("⟨start⟩", 0.9f, true).Add("⟨end⟩", 0.1f, true);
  EXPECT_FLOAT_EQ(ChooseScale(only_special.sheet().words).top, 0.9f);
}

TEST(MapSheetTest, LegendEndsInTheScalesEnds) {
  Example example;
  example.Add("heart", 0.3f);
  const Image drawn = DrawMapSheet(example.sheet());
  const Box legend = LayoutOf(example.sheet()).legend;
  const int y = static_cast<int>(legend.y) + kColourBarTop + 3;
  EXPECT_EQ(ColourOf(drawn, static_cast<int>(legend.x), y), HeatColour(0));
  EXPECT_EQ(ColourOf(drawn, static_cast<int>(legend.x + legend.width) - 1, y),
            HeatColour(1));
}

TEST(MapSheetTest, EveryWordHasItsLabel) {
  Example example;
  for (int i = 0; i < 77; ++i) example.Add("word", 0.01f);
  const Image drawn = DrawMapSheet(example.sheet());
  const MapSheetLayout layout = LayoutOf(example.sheet());
  ASSERT_EQ(layout.words.size(), 77);
  EXPECT_GT(CountInk(drawn, layout.title), 100);
  EXPECT_GT(CountInk(drawn, layout.picture.label), 50);
  const int ink = CountInk(drawn, layout.words[0].label);
  EXPECT_GT(ink, 50);
  for (const MapSheetLayout::Cell& cell : layout.words) {
    EXPECT_EQ(CountInk(drawn, cell.label), ink);
  }
}

bool Overlap(const Box& a, const Box& b) {
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height &&
         b.y < a.y + a.height;
}

std::vector<Box> AllBoxes(const MapSheetLayout& layout) {
  std::vector<Box> boxes = {layout.title, layout.note, layout.legend,
                            layout.picture.label, layout.picture.tile};
  for (const MapSheetLayout::Cell& cell : layout.words) {
    boxes.push_back(cell.label);
    boxes.push_back(cell.tile);
  }
  return boxes;
}

TEST(MapSheetLayoutTest, NothingOverlapsOrLeavesTheMargins) {
  for (const int words : {1, 2, 5, 6, 20, 47, 77}) {
    for (const auto& [width, height] :
         {std::pair{64, 64}, {300, 100}, {100, 300}, {4000, 3000}, {1, 1}}) {
      const MapSheetLayout layout = LayOutMapSheet(width, height, words, 2);
      const std::vector<Box> boxes = AllBoxes(layout);
      for (size_t i = 0; i < boxes.size(); ++i) {
        EXPECT_GE(boxes[i].x, kSheetMargin);
        EXPECT_GE(boxes[i].y, kSheetMargin);
        EXPECT_LE(boxes[i].x + boxes[i].width, layout.width - kSheetMargin);
        EXPECT_LE(boxes[i].y + boxes[i].height, layout.height - kSheetMargin);
        for (size_t j = 0; j < i; ++j) {
          EXPECT_FALSE(Overlap(boxes[i], boxes[j])) << words << " words";
        }
      }
    }
  }
}

TEST(MapSheetLayoutTest, TilesKeepThePicturesAspect) {
  const Box wide = LayOutMapSheet(300, 100, 5, 1).words[0].tile;
  EXPECT_EQ(wide.width, 192);
  EXPECT_EQ(wide.height, 64);
  const Box high = LayOutMapSheet(100, 300, 5, 1).picture.tile;
  EXPECT_EQ(high.width, 64);
  EXPECT_EQ(high.height, 192);
}

TEST(MapSheetTest, SizeIsTheLayouts) {
  for (const auto& [width, height] : {std::pair{64, 64}, {90, 30}, {1, 1}}) {
    Example example(width, height);
    example.Add("a", 0.5f).Add("b", {0.1f, 0.2f, 0.3f, 0.4f, 0.5f, 0.6f}, 2, 3);
    const Image drawn = DrawMapSheet(example.sheet());
    const MapSheetLayout layout = LayoutOf(example.sheet());
    EXPECT_EQ(drawn.width, layout.width);
    EXPECT_EQ(drawn.height, layout.height);
    EXPECT_EQ(drawn.channels, 3);
  }
}

TEST(MapSheetTest, ALongTitleTakesMoreLines) {
  Example example;
  example.Add("a", 0.5f);
  const MapSheetLayout small = LayoutOf(example.sheet());
  for (int i = 0; i < 100; ++i) example.sheet().title += " and another word";
  const MapSheetLayout large = LayoutOf(example.sheet());
  EXPECT_EQ(large.title.height, 3 * small.title.height);
  EXPECT_EQ(large.width, small.width);
}

TEST(MapSheetTest, AllZeroIsCold) {
  Example example;
  example.Add("nothing", 0.0f);
  EXPECT_EQ(MiddleOf(DrawMapSheet(example.sheet()),
                     LayoutOf(example.sheet()).words[0].tile),
            HeatColour(0));
}

TEST(MapSheetTest, RefusesWhatCannotBeDrawn) {
  Example empty;
  EXPECT_THROW(DrawMapSheet(empty.sheet()), std::invalid_argument);
  Example no_picture;
  no_picture.Add("a", 0.5f).sheet().picture = nullptr;
  EXPECT_THROW(DrawMapSheet(no_picture.sheet()), std::invalid_argument);
  Example nan;
  nan.Add("a", std::numeric_limits<float>::quiet_NaN());
  EXPECT_THROW(DrawMapSheet(nan.sheet()), std::invalid_argument);
  Example shape;
  shape.Add("a", {0.5f, 0.5f}, 1, 3);
  EXPECT_THROW(DrawMapSheet(shape.sheet()), std::invalid_argument);
}

}  // namespace
}  // namespace keylens
