#include "src/render/draw/scale_ticks.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace keylens {
namespace {

// The largest of 1, 2, 5 times a power of ten that is not above `step`... or
// the next, when it leaves too many.
double RoundStep(double step) {
  const double power = std::pow(10, std::floor(std::log10(step)));
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (factor * power >= step * (1 - 1e-9)) return factor * power;
  }
  return 10 * power;
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

}  // namespace keylens
