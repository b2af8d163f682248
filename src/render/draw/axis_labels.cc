#include "src/render/draw/axis_labels.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>

#include "src/render/draw/text_fit.h"

namespace keylens::render {
namespace {

constexpr Colour kInk = {34, 34, 34};
constexpr Colour kTick = {150, 150, 150};
constexpr double kSize = 12;
constexpr double kSmallSize = 10.5;  // where cells are low
constexpr int kGap = 6;              // between a label and the map
constexpr double kTickLength = 4;
constexpr double kSlantedPitch = 1.5;  // of lines at 45 degrees, in ems

AxisLabels Fit(std::span<const std::string> words, int cell, double room) {
  AxisLabels axis;
  axis.style = {.size = cell >= kSize ? kSize : kSmallSize, .colour = kInk};
  const int step =
      std::max(1, static_cast<int>(std::ceil(axis.style.size / cell)));
  axis.thinned = step > 1;
  const int count = static_cast<int>(words.size());
  for (int i = 0; i < count; i += step) {
    std::string text =
        ShortenText(words[static_cast<std::size_t>(i)], room, axis.style);
    axis.longest = std::max(axis.longest, MeasureText(text, axis.style));
    axis.labels.push_back({i, std::move(text)});
  }
  return axis;
}

double Middle(int index, int cell) { return (index + 0.5) * cell; }

}  // namespace

AxisLabels FitQueryLabels(std::span<const std::string> words, int cell,
                          double room) {
  AxisLabels axis = Fit(words, cell, room);
  axis.style.align = Align::kRight;
  return axis;
}

AxisLabels FitKeyLabels(std::span<const std::string> words, int cell,
                        double room) {
  AxisLabels axis = Fit(words, cell, room);
  axis.slanted = cell >= kSlantedPitch * kSize;
  return axis;
}

int WidthOfQueries(const AxisLabels& queries) {
  return static_cast<int>(std::ceil(queries.longest)) + kGap;
}

int HeightOfKeys(const AxisLabels& keys) {
  const double rise =
      keys.slanted ? (keys.longest + keys.style.size) / std::numbers::sqrt2
                   : keys.longest;
  return static_cast<int>(std::ceil(rise)) + kGap;
}

int OverhangOfKeys(const AxisLabels& keys) {
  if (!keys.slanted) return 0;
  return static_cast<int>(std::ceil(keys.longest / std::numbers::sqrt2));
}

void DrawQueryLabels(const AxisLabels& queries, int x, int y, int cell,
                     Drawing& drawing) {
  for (const AxisLabels::Label& label : queries.labels) {
    const double middle = y + Middle(label.index, cell);
    drawing.elements.emplace_back(
        Drawing::Text{label.text, double(x - kGap), middle, 0, queries.style});
    if (!queries.thinned) continue;
    drawing.elements.emplace_back(Drawing::Fill{
        {x - 1 - kTickLength, std::floor(middle), kTickLength, 1}, kTick});
  }
}

void DrawKeyLabels(const AxisLabels& keys, int x, int y, int cell,
                   Drawing& drawing) {
  for (const AxisLabels::Label& label : keys.labels) {
    const double middle = x + Middle(label.index, cell);
    drawing.elements.emplace_back(
        Drawing::Text{label.text, middle, double(y - kGap),
                      keys.slanted ? -45.0 : -90.0, keys.style});
    if (!keys.thinned) continue;
    drawing.elements.emplace_back(Drawing::Fill{
        {std::floor(middle), y - 1 - kTickLength, 1, kTickLength}, kTick});
  }
}

}  // namespace keylens::render
