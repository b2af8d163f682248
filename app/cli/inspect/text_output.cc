#include <fmt/format.h>

#include <cstddef>
#include <iostream>

#include "app/cli/inspect/outputs.h"
#include "src/inspect/head_table.h"
#include "src/render/report/printable_text.h"

namespace keylens::cli {
namespace {

std::string TableOf(const InspectTask& task, const InspectedEntry& entry) {
  inspect::HeadTableTitles titles;
  titles.remark = "heaviest keys";
  titles.self_attention = task.shape.self_attention;
  std::vector<inspect::HeadLine> lines;
  for (const inspect::HeadSummary& head : entry.heads) {
    lines.push_back({{std::to_string(lines.size() + 1)},
                     head.statistics,
                     head.kind,
                     inspect::KeysText(head.heaviest_keys, task.labels.keys)});
  }
  return inspect::HeadTable(titles, lines);
}

std::string QueryText(const InspectTask& task, const InspectedEntry& entry,
                      int64_t query, int64_t top) {
  std::string text = fmt::format("\nquery {}", query);
  if (!task.labels.queries.empty()) {
    const auto number = static_cast<std::size_t>(query);
    text += fmt::format(" '{}'", PrintableText(task.labels.queries[number]));
  }
  text += "\n";
  for (std::size_t head = 0; head < entry.heads.size(); ++head) {
    const std::size_t row =
        head * static_cast<std::size_t>(task.shape.query_len) +
        static_cast<std::size_t>(query);
    text += fmt::format(
        "  head {:<3} entropy {:5.2f}   {}\n", head + 1,
        entry.statistics.entropy[row],
        inspect::KeysText(inspect::HeaviestKeysOf(entry.statistics, row, top),
                          task.labels.keys));
  }
  return text;
}

}  // namespace

std::string MaskText(const InspectOptions& options) {
  if (options.causal) return "causal";
  return options.mask.empty() ? "none" : options.mask;
}

std::vector<std::string> NotesOf(const InspectTask& task,
                                 const InspectOptions& options) {
  const inspect::AttentionSources& sources = task.inputs.sources();
  return {"queries " + inspect::Describe(sources.query),
          "keys " + inspect::Describe(sources.key),
          fmt::format("mask {}, scale {:.6g}", MaskText(options),
                      task.inputs.scale())};
}

void PrintText(const InspectTask& task, const InspectedEntry& entry,
               const InspectOptions& options) {
  const bool first = entry.number == task.entries.front();
  if (first) {
    for (const std::string& note : NotesOf(task, options))
      std::cout << note << '\n';
  }
  if (task.inputs.batch() > 1)
    std::cout << fmt::format("\nbatch entry {}\n", entry.number);
  std::cout << (task.inputs.batch() > 1 ? "" : "\n") << TableOf(task, entry);
  for (const int64_t query : task.queries)
    std::cout << QueryText(task, entry, query, options.top);
}

}  // namespace keylens::cli
