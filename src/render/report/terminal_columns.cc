#include "src/render/report/terminal_columns.h"

#include <glib.h>

#include <cstddef>

#include "src/base/utf8.h"

namespace keylens::render {
namespace {

int ColumnsOf(char32_t code) {
  if (g_unichar_iszerowidth(code)) return 0;
  return g_unichar_iswide(code) ? 2 : 1;
}

// The longest front part that takes at most `columns`, with the marks that
// belong to its last character.
std::string_view Front(std::string_view text, int columns) {
  int taken = 0;
  std::size_t at = 0;
  while (at < text.size()) {
    const Utf8Character character = DecodeUtf8(text, at);
    taken += ColumnsOf(character.code);
    if (taken > columns) break;
    at += character.length;
  }
  return text.substr(0, at);
}

}  // namespace

int TerminalColumns(std::string_view text) {
  int columns = 0;
  for (std::size_t at = 0; at < text.size();) {
    const Utf8Character character = DecodeUtf8(text, at);
    columns += ColumnsOf(character.code);
    at += character.length;
  }
  return columns;
}

std::string FitColumns(std::string_view text, int columns, bool right_aligned) {
  std::string fitted(text);
  if (TerminalColumns(text) > columns)
    fitted = std::string(Front(text, columns - 1)).append("…");
  const auto missing =
      static_cast<std::size_t>(columns - TerminalColumns(fitted));
  const std::string spaces(missing, ' ');
  return right_aligned ? spaces + fitted : fitted + spaces;
}

}  // namespace keylens::render
