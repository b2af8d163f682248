#include "src/render/attention_report_layout.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "src/render/axis_labels.h"
#include "src/render/colour_bar.h"
#include "src/render/heat_map.h"
#include "src/render/text_fit.h"

namespace keylens::render {
namespace {

constexpr Colour kInk = {34, 34, 34};
constexpr Colour kQuiet = {110, 110, 110};
constexpr Colour kFrame = {200, 200, 200};
constexpr Colour kPaper = {255, 255, 255};

constexpr TextStyle kTitleStyle = {
    .size = 20, .bold = true, .colour = kInk, .max_lines = 4};
constexpr TextStyle kNoteStyle = {.size = 12.5, .colour = kQuiet};
constexpr TextStyle kNameStyle = {.size = 16, .bold = true, .colour = kInk};
constexpr TextStyle kLayerStyle = {.size = 13, .bold = true, .colour = kInk};
constexpr TextStyle kCaptionStyle = {.size = 11.5, .colour = kQuiet};
constexpr double kPercentSize = 9.5;

constexpr int kMargin = 32;
constexpr int kNarrowest = 640;  // of what is between the margins
constexpr int kTitleLine = 28;
constexpr int kNameLine = 26;
constexpr int kLine = 19;  // notes, captions
constexpr int kGap = 14;   // between maps
constexpr int kPanelGap = 40;
constexpr int kScaleWidth = 320;
constexpr int kScaleSteps = 64;

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

void AddText(std::string text, double x, double middle, const TextStyle& style,
             Drawing& drawing) {
  drawing.elements.push_back(
      Drawing::Text{std::move(text), x, middle, 0, style});
}

// What one panel is drawn with.
class PanelSheet {
 public:
  PanelSheet(const AttentionPanel& panel, float top)
      : panel_(panel), scale_{top} {}

  Drawing Draw() && {
    DrawHeading();
    DrawMean();
    if (panel_.layers * panel_.heads > 1) {
      for (int layer = 0; layer < panel_.layers; ++layer) DrawLayer(layer);
    }
    drawing_.height = y_;
    return std::move(drawing_);
  }

 private:
  void DrawHeading();
  void DrawMean();
  void DrawLayer(int layer);
  void DrawMap(const MapChoice& choice, int x, int y, int cell);
  void DrawPercents(const std::vector<float>& map, int x, int y, int cell);
  std::string CaptionOf(const MapChoice& choice) const;

  void Cover(int right) { drawing_.width = std::max(drawing_.width, right); }

  const AttentionPanel& panel_;
  HeatScale scale_;
  Drawing drawing_;
  int y_ = 0;  // where the next piece goes
};

void PanelSheet::DrawHeading() {
  AddText(ShortenText(panel_.name, kNarrowest, kNameStyle), kMargin,
          y_ + kNameLine / 2.0, kNameStyle, drawing_);
  y_ += kNameLine;
  const std::string axes =
      fmt::format("{} ({}) down, {} ({}) across", panel_.query_axis,
                  panel_.queries.size(), panel_.key_axis, panel_.keys.size());
  AddText(ShortenText(axes, kNarrowest, kNoteStyle), kMargin, y_ + kLine / 2.0,
          kNoteStyle, drawing_);
  y_ += kLine;
  AddText(DescribeMap(panel_, {}), kMargin, y_ + kLine / 2.0, kNoteStyle,
          drawing_);
  y_ += kLine + kGap / 2;
}

void PanelSheet::DrawMean() {
  const int cell = CellOf(panel_, kMeanMap);
  const AxisLabels queries =
      FitQueryLabels(panel_.queries, cell, kMeanMap.label_room);
  const AxisLabels keys = FitKeyLabels(panel_.keys, cell, kMeanMap.label_room);
  const int x = kMargin + WidthOfQueries(queries);
  y_ += HeightOfKeys(keys);
  DrawQueryLabels(queries, x, y_, cell, drawing_);
  DrawKeyLabels(keys, x, y_, cell, drawing_);
  DrawMap({}, x, y_, cell);
  if (cell >= kCellWithPercent) DrawPercents(MapOf(panel_, {}), x, y_, cell);
  Cover(x + WidthOf(panel_, cell) + OverhangOfKeys(keys));
  y_ += HeightOf(panel_, cell) + kGap;
}

void PanelSheet::DrawPercents(const std::vector<float>& map, int x, int y,
                              int cell) {
  const auto cols = static_cast<int>(panel_.keys.size());
  for (std::size_t i = 0; i < map.size(); ++i) {
    const long percent = std::lround(100 * map[i]);
    if (percent < 1) continue;
    const bool dark = scale_.Share(map[i]) > 0.55f;
    AddText(fmt::format("{}", percent),
            x + (static_cast<int>(i) % cols + 0.5) * cell,
            y + (static_cast<int>(i) / cols + 0.5) * cell,
            {.size = kPercentSize,
             .colour = dark ? kPaper : kInk,
             .align = Align::kCentre},
            drawing_);
  }
}

void PanelSheet::DrawLayer(int layer) {
  y_ += kGap;
  AddText(fmt::format("layer {}", layer + 1), kMargin, y_ + kLine / 2.0,
          kLayerStyle, drawing_);
  y_ += kLine + kLine;
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
    AddText(CaptionOf(choice), x, y_ - HeightOfKeys(keys) - kLine / 2.0,
            kCaptionStyle, drawing_);
    DrawMap(choice, x, y_, cell);
    x += pitch;
  }
  Cover(x - kGap + OverhangOfKeys(keys));
  y_ += HeightOf(panel_, cell) + kGap;
}

std::string PanelSheet::CaptionOf(const MapChoice& choice) const {
  if (!choice.head) return fmt::format("mean of {} heads", panel_.heads);
  const std::string name = fmt::format("head {}", *choice.head + 1);
  if (panel_.statistics.empty()) return name;
  const auto index =
      static_cast<std::size_t>(*choice.layer) * panel_.heads + *choice.head;
  return fmt::format("{} · {:.2f} nats", name,
                     panel_.statistics[index].entropy);
}

void PanelSheet::DrawMap(const MapChoice& choice, int x, int y, int cell) {
  Drawing::Cells cells = {
      .x = x,
      .y = y,
      .cell_width = cell,
      .cell_height = cell,
      .rows = static_cast<int>(panel_.queries.size()),
      .cols = static_cast<int>(panel_.keys.size()),
      .colours = {},
      .name = panel_.name + ": " + DescribeMap(panel_, choice)};
  for (const float weight : MapOf(panel_, choice))
    cells.colours.push_back(HeatColour(scale_.Share(weight)));
  drawing_.elements.push_back(
      Drawing::Fill{{x - 1.0, y - 1.0, WidthOf(panel_, cell) + 2.0,
                     HeightOf(panel_, cell) + 2.0},
                    kFrame});
  drawing_.elements.push_back(std::move(cells));
}

void DrawScale(const AttentionReport& report, int y, Drawing& drawing) {
  const double top = ScaleTop(report);
  const TextStyle quiet = {
      .size = 11, .colour = kQuiet, .align = Align::kCentre};
  AddText(ExceedsScale(report)
              ? "attention weight (the last colour is for all that is above)"
              : "attention weight",
          kMargin, y + kLine / 2.0, kNoteStyle, drawing);
  y += kLine + 2;
  Drawing::Cells bar = {.x = kMargin,
                        .y = y,
                        .cell_width = kScaleWidth / kScaleSteps,
                        .cell_height = kColourBarThickness,
                        .rows = 1,
                        .cols = kScaleSteps,
                        .colours = {},
                        .name = "scale"};
  for (int i = 0; i < kScaleSteps; ++i) {
    bar.colours.push_back(
        HeatColour(static_cast<float>(i) / (kScaleSteps - 1)));
  }
  drawing.elements.push_back(Drawing::Fill{
      {kMargin - 1.0, y - 1.0, kScaleWidth + 2.0, kColourBarThickness + 2.0},
      kFrame});
  drawing.elements.push_back(std::move(bar));
  const double bottom = y + kColourBarThickness + 1;
  for (const Tick& tick : ChooseTicks(top)) {
    const double x = kMargin + std::floor(tick.value / top * (kScaleWidth - 1));
    drawing.elements.push_back(Drawing::Fill{{x, bottom, 1, 4}, kQuiet});
    AddText(tick.label, x + 0.5, bottom + 11, quiet, drawing);
  }
}

// Title, notes and scale for a sheet whose content is `width` wide.
Drawing LayOutHeader(const AttentionReport& report, int width) {
  Drawing header;
  int y = kMargin;
  if (!report.title.empty()) {
    for (std::string& line : BreakText(report.title, width, kTitleStyle)) {
      AddText(std::move(line), kMargin, y + kTitleLine / 2.0, kTitleStyle,
              header);
      y += kTitleLine;
    }
  }
  for (const std::string& note : report.notes) {
    AddText(ShortenText(note, width, kNoteStyle), kMargin, y + kLine / 2.0,
            kNoteStyle, header);
    y += kLine;
  }
  y += kGap;
  DrawScale(report, y, header);
  header.height = y + kColourBarHeight + kGap;
  return header;
}

}  // namespace

Drawing LayOutReport(const AttentionReport& report) {
  CheckReport(report, "LayOutReport");
  const float top = ScaleTop(report);
  std::vector<Drawing> panels;
  int right = kMargin + kNarrowest;
  for (const AttentionPanel& panel : report.panels) {
    panels.push_back(PanelSheet(panel, top).Draw());
    right = std::max(right, panels.back().width);
  }
  Drawing sheet = LayOutHeader(report, right - kMargin);
  sheet.width = right + kMargin;
  for (Drawing& panel : panels) {
    const int top_of_panel = sheet.height + kPanelGap / 2;
    sheet.height = top_of_panel + panel.height + kPanelGap / 2;
    AppendDrawing(std::move(panel), top_of_panel, sheet);
  }
  sheet.height += kMargin - kPanelGap / 2;
  return sheet;
}

}  // namespace keylens::render
