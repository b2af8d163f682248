#include "src/render/sheets/matrix_sheet.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

#include "src/render/draw/axis_labels.h"
#include "src/render/draw/heat_map.h"
#include "src/render/sheets/report_style.h"

namespace keylens::render {
namespace {

constexpr Colour kPaper = {255, 255, 255};
constexpr double kPercentSize = 9.5;

// A map is to be at most `side` pixels, in cells of 2 to `largest_cell`.
struct MapSize {
  int side, largest_cell;
  double label_room;
};
constexpr MapSize kMeanMap = {560, 26, 150};
constexpr MapSize kHeadMap = {216, 16, 96};
constexpr int kSmallestCell = 2;
constexpr int kCellWithPercent = 24;  // the smallest that has room for it
constexpr int kNarrowestTile = 118;   // the width of a head's caption

int CellOf(const AttentionPanel& panel, const MapSize& size) {
  const auto longest =
      static_cast<int>(std::max(panel.queries.size(), panel.keys.size()));
  return std::clamp(size.side / longest, kSmallestCell, size.largest_cell);
}

int WidthOf(const AttentionPanel& panel, int cell) {
  return static_cast<int>(panel.keys.size()) * cell;
}

int HeightOf(const AttentionPanel& panel, int cell) {
  return static_cast<int>(panel.queries.size()) * cell;
}

std::string Runs(int count, int run) {
  return fmt::format("{}, in runs of {}", count, run);
}

// What one panel is drawn with.
class MatrixSheet {
 public:
  MatrixSheet(const AttentionPanel& panel, float top)
      : panel_(panel), scale_{top} {}

  Drawing Draw() && {
    DrawHeading();
    DrawLarge({});
    for (std::size_t i = 0; i < panel_.named_maps.size(); ++i)
      DrawNamed(static_cast<int>(i));
    if (panel_.layers * panel_.heads > 1) {
      for (int layer = 0; layer < panel_.layers; ++layer) DrawLayer(layer);
    }
    drawing_.height = y_;
    return std::move(drawing_);
  }

 private:
  void DrawHeading();
  void DrawLarge(const MapChoice& choice);
  void DrawNamed(int named);
  void DrawLayer(int layer);
  void DrawMap(const MapChoice& choice, int x, int y, int cell);
  void DrawPercents(const std::vector<float>& map, int x, int y, int cell);
  void DrawCaption(const MapChoice& choice, int x, int bottom);

  HeatScale ScaleOf(const MapChoice& choice) const {
    return choice.named
               ? HeatScale{ScaleTop(panel_, panel_.named_maps[*choice.named])}
               : scale_;
  }

  int CaptionLines() const { return panel_.statistics.empty() ? 1 : 2; }

  void Cover(int right) { drawing_.width = std::max(drawing_.width, right); }

  const AttentionPanel& panel_;
  HeatScale scale_;
  Drawing drawing_;
  int y_ = 0;  // where the next piece goes
};

void MatrixSheet::DrawHeading() {
  const auto& sequences = panel_.long_sequences;
  const std::string axes = fmt::format(
      "{} ({}) down, {} ({}) across", panel_.query_axis,
      sequences ? Runs(sequences->query_count, sequences->queries_per_row)
                : std::to_string(panel_.queries.size()),
      panel_.key_axis,
      sequences ? Runs(sequences->key_count, sequences->keys_per_col)
                : std::to_string(panel_.keys.size()));
  y_ = DrawPanelHeading(panel_, axes, DescribeMean(panel_), drawing_);
}

void MatrixSheet::DrawNamed(int named) {
  const NamedMap& map = panel_.named_maps[static_cast<std::size_t>(named)];
  AddText(DescribeNamedMap(panel_, map), kMargin, y_ + kLine / 2.0, kNoteStyle,
          drawing_);
  y_ += kLine + kGap / 2;
  DrawLarge({.named = named});
}

void MatrixSheet::DrawLarge(const MapChoice& choice) {
  const int cell = CellOf(panel_, kMeanMap);
  const AxisLabels queries =
      FitQueryLabels(panel_.queries, cell, kMeanMap.label_room);
  const AxisLabels keys = FitKeyLabels(panel_.keys, cell, kMeanMap.label_room);
  const int x = kMargin + WidthOfQueries(queries);
  y_ += HeightOfKeys(keys);
  DrawQueryLabels(queries, x, y_, cell, drawing_);
  DrawKeyLabels(keys, x, y_, cell, drawing_);
  DrawMap(choice, x, y_, cell);
  if (cell >= kCellWithPercent && !choice.named)
    DrawPercents(MapOf(panel_, choice), x, y_, cell);
  Cover(x + WidthOf(panel_, cell) + OverhangOfKeys(keys));
  y_ += HeightOf(panel_, cell) + kGap;
}

void MatrixSheet::DrawPercents(const std::vector<float>& map, int x, int y,
                               int cell) {
  const auto cols = static_cast<int>(panel_.keys.size());
  for (std::size_t i = 0; i < map.size(); ++i) {
    const long percent = std::lround(100 * map[i]);
    if (percent < 1) continue;
    const bool dark = scale_.Share(map[i]) > 0.55f;
    const int row = static_cast<int>(i) / cols;
    const int col = static_cast<int>(i) % cols;
    AddText(fmt::format("{}", percent), x + (col + 0.5) * cell,
            y + (row + 0.5) * cell,
            {.size = kPercentSize,
             .colour = dark ? kPaper : kInk,
             .align = Align::kCentre},
            drawing_);
  }
}

void MatrixSheet::DrawLayer(int layer) {
  y_ += kGap;
  AddText(NameOfLayer(panel_, layer), kMargin, y_ + kLine / 2.0, kLayerStyle,
          drawing_);
  y_ += (1 + CaptionLines()) * kLine;
  const int cell = CellOf(panel_, kHeadMap);
  const AxisLabels queries =
      FitQueryLabels(panel_.queries, cell, kHeadMap.label_room);
  const AxisLabels keys = FitKeyLabels(panel_.keys, cell, kHeadMap.label_room);
  y_ += HeightOfKeys(keys);
  int x = kMargin + WidthOfQueries(queries);
  DrawQueryLabels(queries, x, y_, cell, drawing_);
  const int pitch = std::max(kNarrowestTile, WidthOf(panel_, cell)) + kGap;
  for (const MapChoice& choice : MapsOfLayer(panel_, layer)) {
    DrawKeyLabels(keys, x, y_, cell, drawing_);
    DrawCaption(choice, x, y_ - HeightOfKeys(keys));
    DrawMap(choice, x, y_, cell);
    x += pitch;
  }
  Cover(x - kGap + OverhangOfKeys(keys));
  y_ += HeightOf(panel_, cell) + kGap;
}

void MatrixSheet::DrawCaption(const MapChoice& choice, int x, int bottom) {
  const Caption caption = CaptionOf(panel_, choice);
  AddText(caption.name, x, bottom - CaptionLines() * kLine + kLine / 2.0,
          kCaptionStyle, drawing_);
  if (!caption.detail.empty())
    AddText(caption.detail, x, bottom - kLine / 2.0, kCaptionStyle, drawing_);
}

void MatrixSheet::DrawMap(const MapChoice& choice, int x, int y, int cell) {
  Drawing::Cells cells = {
      .x = x,
      .y = y,
      .cell_width = cell,
      .cell_height = cell,
      .rows = static_cast<int>(panel_.queries.size()),
      .cols = static_cast<int>(panel_.keys.size()),
      .colours = {},
      .name = panel_.name + ": " + DescribeMap(panel_, choice)};
  const HeatScale scale = ScaleOf(choice);
  for (const float weight : MapOf(panel_, choice))
    cells.colours.push_back(HeatColour(scale.Share(weight)));
  AddFrame({double(x), double(y), double(WidthOf(panel_, cell)),
            double(HeightOf(panel_, cell))},
           drawing_);
  drawing_.elements.emplace_back(std::move(cells));
}

}  // namespace

Drawing DrawMatrixPanel(const AttentionPanel& panel, float top) {
  return MatrixSheet(panel, top).Draw();
}

}  // namespace keylens::render
