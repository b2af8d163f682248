#include "src/render/draw/text_fit.h"

#include <pango/pango.h>

#include <algorithm>
#include <cstddef>

#include "src/base/utf8.h"
#include "src/render/report/printable_text.h"

namespace keylens {
namespace {

constexpr std::string_view kEllipsis = "…";

// The bytes before which a reader's cursor may stand; 0 is the first.
std::vector<std::size_t> CursorPlaces(const std::string& text) {
  const int bytes = static_cast<int>(text.size());
  std::vector<PangoLogAttr> attributes(g_utf8_strlen(text.data(), bytes) + 1);
  pango_get_log_attrs(text.data(), bytes, /*level=*/-1,
                      pango_language_get_default(), attributes.data(),
                      static_cast<int>(attributes.size()));
  std::vector<std::size_t> places;
  std::size_t at = 0;
  for (const PangoLogAttr& attribute : attributes) {
    if (attribute.is_cursor_position) places.push_back(at);
    if (at < text.size()) at += DecodeUtf8(text, at).length;
  }
  return places;
}

std::string CutAt(const std::string& text, std::size_t bytes) {
  std::string cut = text.substr(0, bytes);
  while (cut.ends_with(' ')) cut.pop_back();
  return cut.append(kEllipsis);
}

// Takes words from the front of `rest` while they fit, one at least.
std::string TakeLine(std::string_view& rest, double width,
                     const TextStyle& style) {
  std::size_t taken = 0;
  while (taken < rest.size()) {
    const std::size_t end = std::min(rest.find(' ', taken + 1), rest.size());
    if (taken > 0 && MeasureText(rest.substr(0, end), style) > width) break;
    taken = end;
  }
  std::string line(rest.substr(0, taken));
  rest.remove_prefix(std::min(taken + 1, rest.size()));
  return line;
}

}  // namespace

std::string ShortenText(std::string_view text, double width,
                        const TextStyle& style) {
  std::string printable = PrintableText(text);
  if (MeasureText(printable, style) <= width) return printable;
  const std::vector<std::size_t> places = CursorPlaces(printable);
  const auto too_wide = [&](std::size_t place) {
    return MeasureText(CutAt(printable, place), style) > width;
  };
  const auto first_too_wide = std::ranges::partition_point(
      places, [&](std::size_t place) { return !too_wide(place); });
  return first_too_wide == places.begin()
             ? std::string(kEllipsis)
             : CutAt(printable, *std::prev(first_too_wide));
}

std::vector<std::string> BreakText(std::string_view text, double width,
                                   const TextStyle& style) {
  const std::string printable = PrintableText(text);
  std::string_view rest = printable;
  std::vector<std::string> lines;
  while (static_cast<int>(lines.size()) < style.max_lines - 1 &&
         !rest.empty()) {
    lines.push_back(ShortenText(TakeLine(rest, width, style), width, style));
  }
  if (!rest.empty() || lines.empty())
    lines.push_back(ShortenText(rest, width, style));
  return lines;
}

}  // namespace keylens
