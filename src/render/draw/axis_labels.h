#ifndef KEYLENS_SRC_RENDER_DRAW_AXIS_LABELS_H_
#define KEYLENS_SRC_RENDER_DRAW_AXIS_LABELS_H_

#include <span>
#include <string>
#include <vector>

#include "src/render/draw/drawing.h"
#include "src/render/draw/text.h"

namespace keylens::render {

// The words along one side of a map, fitted: all of them, or, where cells are
// narrower than a line of text, every second, third, ...
struct AxisLabels {
  struct Label {
    int index = 0;  // of the row or column
    std::string text;
  };
  std::vector<Label> labels;
  bool thinned = false;
  bool slanted = false;  // of keys: rising at 45 degrees, not upright
  TextStyle style;
  double longest = 0;  // pixels of the longest text
};

// Labels at most `room` pixels long for cells of `cell` pixels.
AxisLabels FitQueryLabels(std::span<const std::string> words, int cell,
                          double room);
AxisLabels FitKeyLabels(std::span<const std::string> words, int cell,
                        double room);

// What the labels take beside a map, gaps included: to its left; above it; and
// beyond its right side, where slanted keys lean out.
int WidthOfQueries(const AxisLabels& queries);
int HeightOfKeys(const AxisLabels& keys);
int OverhangOfKeys(const AxisLabels& keys);

// Draws them at the map whose top left corner is (x, y).
void DrawQueryLabels(const AxisLabels& queries, int x, int y, int cell,
                     Drawing& drawing);
void DrawKeyLabels(const AxisLabels& keys, int x, int y, int cell,
                   Drawing& drawing);

}  // namespace keylens::render

#endif  // KEYLENS_SRC_RENDER_DRAW_AXIS_LABELS_H_
