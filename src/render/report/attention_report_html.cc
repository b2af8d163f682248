#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>
#include <utility>

#include "src/render/report/attention_report_outputs.h"
#include "src/render/report/attention_report_page.h"
#include "src/render/report/colour_map.h"
#include "src/render/report/printable_text.h"
#include "src/render/report/report_json.h"

namespace keylens::render {
namespace {

// What may stand for "{{name}}".
using Filling = std::pair<std::string_view, std::string_view>;

// The page with every {{name}} replaced, in one walk: what is put in is not
// looked at again.
std::string Fill(std::string_view page,
                 const std::array<Filling, 5>& fillings) {
  std::string filled;
  while (!page.empty()) {
    const std::size_t open = std::min(page.find("{{"), page.size());
    filled += page.substr(0, open);
    page.remove_prefix(open);
    if (page.empty()) break;
    const std::size_t close = page.find("}}");
    const std::string_view name = page.substr(2, close - 2);
    filled += std::ranges::find(fillings, name, &Filling::first)->second;
    page.remove_prefix(close + 2);
  }
  return filled;
}

// JSON that cannot end the script element around it: "<" is only found inside
// strings, where it may be written by its code.
std::string InScript(std::string_view json) {
  std::string safe;
  safe.reserve(json.size());
  for (const char c : json) {
    if (c == '<') {
      safe += "\\u003c";
    } else {
      safe += c;
    }
  }
  return safe;
}

std::string EscapeText(std::string_view text) {
  std::string escaped;
  for (const char c : PrintableText(text)) {
    if (c == '&') {
      escaped += "&amp;";
    } else if (c == '<') {
      escaped += "&lt;";
    } else {
      escaped += c;
    }
  }
  return escaped;
}

std::string TableOf(Colour (*map)(float)) {
  constexpr int kColours = 256;
  std::string table;
  for (int i = 0; i < kColours; ++i) {
    const Colour colour = map(static_cast<float>(i) / (kColours - 1));
    table += fmt::format("{}\"#{:02x}{:02x}{:02x}\"", i > 0 ? "," : "",
                         colour.red, colour.green, colour.blue);
  }
  return table;
}

}  // namespace

std::string AttentionReportHtml(const AttentionReport& report) {
  const std::string data = InScript(PackedReportJson(report));
  const std::string title =
      EscapeText(report.title.empty() ? "attention" : report.title);
  const std::string colours =
      fmt::format("{{\"light\":[{}],\"dark\":[{}]}}", TableOf(HeatColour),
                  TableOf(HeatColourOnDark));
  return Fill(kReportPage, {{{"title", title},
                             {"style", kReportStyle},
                             {"colours", colours},
                             {"report", data},
                             {"script", kReportScript}}});
}

}  // namespace keylens::render
