#ifndef KEYLENS_SRC_RENDER_REPORT_PRINTABLE_TEXT_H_
#define KEYLENS_SRC_RENDER_REPORT_PRINTABLE_TEXT_H_

#include <string>
#include <string_view>

namespace keylens {

// The text as one line that can be drawn, written into XML or sent to a
// terminal: bytes that are not UTF-8 and noncharacters become U+FFFD, control
// characters and line and paragraph ends become spaces, and the controls that
// reverse the direction of the text after them are left out.
std::string PrintableText(std::string_view text);

}  // namespace keylens

#endif  // KEYLENS_SRC_RENDER_REPORT_PRINTABLE_TEXT_H_
