#include "src/inspect/head_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>

#include "src/render/report/printable_text.h"
#include "src/render/report/terminal_columns.h"

namespace keylens::inspect {
namespace {

using Cells = std::vector<std::string>;

Cells TitleCells(const HeadTableTitles& titles) {
  Cells cells = titles.names;
  for (const char* title : {"kind", "entropy", "of even"})
    cells.emplace_back(title);
  if (titles.self_attention) {
    for (const char* title : {"distance", "self", "previous", "next"})
      cells.emplace_back(title);
  }
  for (const char* title : {"first key", "top key"}) cells.emplace_back(title);
  if (!titles.remark.empty()) cells.push_back(titles.remark);
  return cells;
}

Cells CellsOf(const HeadLine& line, const HeadTableTitles& titles) {
  const render::HeadStatistics& head = line.statistics;
  Cells cells = line.names;
  cells.emplace_back(render::NameOf(line.kind));
  cells.push_back(fmt::format("{:.2f}", head.entropy));
  cells.push_back(
      head.even_entropy > 0 ? Percent(head.entropy / head.even_entropy) : "-");
  if (titles.self_attention) {
    cells.push_back(fmt::format("{:.1f}", head.mean_distance));
    for (const float share : {head.self, head.previous, head.next})
      cells.push_back(Percent(share));
  }
  for (const float share : {head.first_key, head.top_key})
    cells.push_back(Percent(share));
  if (!titles.remark.empty()) cells.push_back(line.remark);
  return cells;
}

// Words are at the left of their column, numbers at the right.
bool IsRightAligned(std::size_t column, const HeadTableTitles& titles,
                    std::size_t columns) {
  const bool is_kind = column == titles.names.size();
  const bool is_remark = !titles.remark.empty() && column + 1 == columns;
  return !is_kind && !is_remark;
}

std::string Padded(const std::string& text, int columns, bool right) {
  const int missing = columns - render::TerminalColumns(text);
  const std::string spaces(static_cast<std::size_t>(std::max(0, missing)), ' ');
  return right ? spaces + text : text + spaces;
}

}  // namespace

std::string Percent(double share) {
  return fmt::format("{:.1f} %", 100 * share);
}

std::string KeysText(const std::vector<KeyShare>& keys,
                     const std::vector<std::string>& labels) {
  std::string text;
  for (const KeyShare& key : keys) {
    if (!text.empty()) text += ", ";
    const auto number = static_cast<std::size_t>(key.key);
    const std::string name =
        labels.empty() ? fmt::format("{}", key.key)
                       : fmt::format("'{}'", PrintableText(labels[number]));
    text += fmt::format("{} {}", name, Percent(key.share));
  }
  return text;
}

std::string HeadTable(const HeadTableTitles& titles,
                      const std::vector<HeadLine>& lines) {
  std::vector<Cells> table = {TitleCells(titles)};
  for (const HeadLine& line : lines) table.push_back(CellsOf(line, titles));
  const std::size_t columns = table.front().size();
  std::vector<int> widths(columns, 0);
  for (const Cells& cells : table) {
    for (std::size_t column = 0; column < columns; ++column) {
      widths[column] =
          std::max(widths[column], render::TerminalColumns(cells[column]));
    }
  }
  std::string text;
  for (const Cells& cells : table) {
    std::string line;
    for (std::size_t column = 0; column < columns; ++column) {
      if (column > 0) line += "  ";
      line += Padded(cells[column], widths[column],
                     IsRightAligned(column, titles, columns));
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text;
}

}  // namespace keylens::inspect
