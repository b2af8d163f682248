#include "src/render/colour_bar.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "src/render/paint.h"

namespace keylens {
namespace {

constexpr Colour kQuiet = {110, 110, 110};
constexpr double kTickLength = 4;
constexpr double kTickLabelWidth = 60;

// The largest of 1, 2, 5 times a power of ten that is not above `step`... or
// the next, when it leaves too many.
double RoundStep(double step) {
  const double power = std::pow(10, std::floor(std::log10(step)));
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (factor * power >= step * (1 - 1e-9)) return factor * power;
  }
  return 10 * power;
}

void DrawGradient(const Canvas& canvas, const Box& bar) {
  const int columns = static_cast<int>(bar.width);
  for (int i = 0; i < columns; ++i) {
    const float share =
        columns > 1 ? static_cast<float>(i) / static_cast<float>(columns - 1)
                    : 0.0f;
    FillBox(canvas, {bar.x + i, bar.y, 1, bar.height}, HeatColour(share));
  }
}

void DrawArrowHead(const Canvas& canvas, const Box& bar) {
  cairo_t* context = canvas.context();
  const double end = bar.x + bar.width;
  cairo_move_to(context, end, bar.y);
  cairo_line_to(context, end + kColourBarThickness, bar.y + bar.height / 2);
  cairo_line_to(context, end, bar.y + bar.height);
  cairo_close_path(context);
  SetColour(canvas, HeatColour(1));
  cairo_fill(context);
}

void DrawTick(const Canvas& canvas, const Box& bar, double share,
              const std::string& label) {
  const double x = std::floor(bar.x + share * (bar.width - 1));
  const double y = bar.y + bar.height;
  FillBox(canvas, {x, y, 1, kTickLength}, kQuiet);
  DrawText(
      canvas, label,
      {x + 0.5 - kTickLabelWidth / 2, y + kTickLength, kTickLabelWidth, 14},
      {.size = 11, .colour = kQuiet, .align = Align::kCentre});
}

}  // namespace

std::vector<Tick> ChooseTicks(double top) {
  const double step = RoundStep(top / 5);
  const int decimals =
      std::max(0, static_cast<int>(-std::floor(std::log10(step) + 1e-9)));
  std::vector<Tick> ticks;
  for (int i = 0; i * step <= top * (1 + 1e-9); ++i) {
    ticks.push_back(
        {i * step, i == 0 ? "0" : fmt::format("{:.{}f}", i * step, decimals)});
  }
  return ticks;
}

void DrawColourBar(const Canvas& canvas, const Box& box, std::string_view title,
                   const HeatScale& scale, bool open_end) {
  DrawText(canvas, title, {box.x, box.y, box.width, kColourBarTop - 4},
           {.size = 12, .colour = kQuiet});
  const double arrow = open_end ? kColourBarThickness : 0;
  const Box bar = {box.x, box.y + kColourBarTop, box.width - arrow,
                   kColourBarThickness};
  DrawGradient(canvas, bar);
  if (open_end) DrawArrowHead(canvas, bar);
  for (const Tick& tick : ChooseTicks(scale.top)) {
    DrawTick(canvas, bar, tick.value / scale.top, tick.label);
  }
}

}  // namespace keylens
