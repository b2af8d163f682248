#ifndef KEYLENS_SRC_RENDER_DRAW_SCALE_TICKS_H_
#define KEYLENS_SRC_RENDER_DRAW_SCALE_TICKS_H_

#include <string>
#include <vector>

namespace keylens {

// A number on a scale and how it is written.
struct Tick {
  double value = 0;
  std::string label;
};

// Round numbers from 0 to at most `top` (above 0), 3 to 6 of them, a step of 1,
// 2 or 5 times a power of ten apart and written with the same decimals.
std::vector<Tick> ChooseTicks(double top);

}  // namespace keylens

#endif  // KEYLENS_SRC_RENDER_DRAW_SCALE_TICKS_H_
