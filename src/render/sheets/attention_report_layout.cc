#include "src/render/sheets/attention_report_layout.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "src/render/draw/heat_map.h"
#include "src/render/draw/scale_ticks.h"
#include "src/render/draw/text_fit.h"
#include "src/render/sheets/matrix_sheet.h"
#include "src/render/sheets/picture_sheet.h"
#include "src/render/sheets/report_style.h"

namespace keylens::render {
namespace {

constexpr TextStyle kTitleStyle = {
    .size = 20, .bold = true, .colour = kInk, .max_lines = 4};
constexpr int kTitleLine = 28;
constexpr int kPanelGap = 40;
constexpr int kScaleWidth = 320;
constexpr int kScaleHeight = 48;     // title, bar, ticks
constexpr int kScaleThickness = 12;  // of the bar
constexpr int kScaleSteps = 64;

void DrawScale(const AttentionReport& report, int y, Drawing& drawing) {
  const double top = ScaleTop(report);
  const TextStyle quiet = {
      .size = 11, .colour = kQuiet, .align = Align::kCentre};
  AddText(ExceedsScale(report)
              ? report.quantity + " (the last colour is for all that is above)"
              : report.quantity,
          kMargin, y + kLine / 2.0, kNoteStyle, drawing);
  y += kLine + 2;
  Drawing::Cells bar = {.x = kMargin,
                        .y = y,
                        .cell_width = kScaleWidth / kScaleSteps,
                        .cell_height = kScaleThickness,
                        .rows = 1,
                        .cols = kScaleSteps,
                        .colours = {},
                        .name = "scale"};
  for (int i = 0; i < kScaleSteps; ++i) {
    bar.colours.push_back(
        HeatColour(static_cast<float>(i) / (kScaleSteps - 1)));
  }
  AddFrame({kMargin, double(y), kScaleWidth, kScaleThickness}, drawing);
  drawing.elements.emplace_back(std::move(bar));
  const double bottom = y + kScaleThickness + 1;
  for (const Tick& tick : ChooseTicks(top)) {
    const double x = kMargin + std::floor(tick.value / top * (kScaleWidth - 1));
    drawing.elements.emplace_back(Drawing::Fill{{x, bottom, 1, 4}, kQuiet});
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
  header.height = y + kScaleHeight + kGap;
  return header;
}

}  // namespace

Drawing LayOutReport(const AttentionReport& report) {
  CheckReport(report, "LayOutReport");
  const float top = ScaleTop(report);
  std::vector<Drawing> panels;
  int right = kMargin + kNarrowest;
  for (const AttentionPanel& panel : report.panels) {
    panels.push_back(ShowsAsPictures(panel) ? DrawPicturePanel(panel, top)
                                            : DrawMatrixPanel(panel, top));
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
