#ifndef KEYLENS_SRC_RENDER_DRAW_TEXT_FIT_H_
#define KEYLENS_SRC_RENDER_DRAW_TEXT_FIT_H_

#include <string>
#include <string_view>
#include <vector>

#include "src/render/draw/text.h"

namespace keylens {

// Text made to fit before it is drawn, for what is drawn by other means than
// Cairo too. The results are printable (PrintableText).

// The text on one line of at most `width` pixels: where it is longer, cut
// between characters as readers see them, and ended with an ellipsis.
std::string ShortenText(std::string_view text, double width,
                        const TextStyle& style);

// The lines that the text takes when it is broken at spaces: at least one and
// at most style.max_lines, each at most `width` pixels; what does not fit is
// shortened.
std::vector<std::string> BreakText(std::string_view text, double width,
                                   const TextStyle& style);

}  // namespace keylens

#endif  // KEYLENS_SRC_RENDER_DRAW_TEXT_FIT_H_
