#ifndef KEYLENS_SRC_RENDER_REPORT_TERMINAL_COLUMNS_H_
#define KEYLENS_SRC_RENDER_REPORT_TERMINAL_COLUMNS_H_

#include <string>
#include <string_view>

namespace keylens::render {

// The columns of a terminal that a printable text (UTF-8) takes: none for
// combining marks and characters without width, two for wide ones (Chinese,
// emoji), one for all others. Joined emoji count as their parts, which is how
// most terminals show them.
int TerminalColumns(std::string_view text);

// The text in exactly `columns` columns (at least 1): filled up with spaces, on
// the left for `right_aligned`, or cut between characters and ended with "…".
std::string FitColumns(std::string_view text, int columns,
                       bool right_aligned = false);

}  // namespace keylens::render

#endif  // KEYLENS_SRC_RENDER_REPORT_TERMINAL_COLUMNS_H_
