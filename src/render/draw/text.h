#ifndef KEYLENS_SRC_RENDER_DRAW_TEXT_H_
#define KEYLENS_SRC_RENDER_DRAW_TEXT_H_

#include <string_view>

#include "src/render/draw/canvas.h"
#include "src/render/report/colour_map.h"

namespace keylens {

// A place on a canvas, in pixels from its top left corner.
struct Box {
  double x = 0, y = 0, width = 0, height = 0;
};

enum class Align { kLeft, kCentre, kRight };

// How much of the room that a text leaves is before it: 0, 1/2 or 1.
double ShareOfRoom(Align align);

struct TextStyle {
  double size = 14;  // of the em, in pixels
  bool bold = false;
  Colour colour = {34, 34, 34};
  Align align = Align::kLeft;
  int max_lines = 1;  // more than one: the text is wrapped between words
};

// Draws `text` (UTF-8, any script, with whatever fonts the system has; bytes
// that are not UTF-8 as U+FFFD, line ends and other controls as spaces) in the
// box, in the middle of its height. What does not fit the box's width and the
// lines ends in "...". Alignment is to the box's sides in every script.
void DrawText(const Canvas& canvas, std::string_view text, const Box& box,
              const TextStyle& style);

// The width that `text` takes on one line, and the number of lines that it
// takes when wrapped at `width`, at most style.max_lines; both at least 1.
double MeasureText(std::string_view text, const TextStyle& style);
int CountLines(std::string_view text, double width, const TextStyle& style);

}  // namespace keylens

#endif  // KEYLENS_SRC_RENDER_DRAW_TEXT_H_
