#include <fmt/format.h>

#include <string>

#include "app/cli/inspect/outputs.h"
#include "app/cli/output_guard.h"
#include "app/cli/report_option.h"
#include "src/base/file_extension.h"
#include "src/render/report/attention_report_npy.h"

namespace keylens::cli {
namespace {

std::string PanelName(const InspectTask& task, int64_t entry) {
  return task.inputs.batch() > 1 ? fmt::format("batch entry {}", entry)
                                 : std::string();
}

}  // namespace

void CheckInspectOutputs(const InspectTask& task,
                         const InspectOptions& options) {
  if (options.maps.empty()) return;
  OutputGuard guard;
  for (const std::string* array :
       {&options.query, &options.key, &options.mask, &options.groups,
        &options.query_groups, &options.key_groups})
    guard.Reads(inspect::FileOfPlace(*array));
  for (const std::string* file : {&options.labels, &options.query_labels,
                                  &options.key_labels, &options.group_labels})
    guard.Reads(*file);
  GuardReports(guard, "--maps", options.maps);
  if (task.entries.size() == 1 || ExtensionOf(options.maps) != ".npy") return;
  render::AttentionReport report;  // which has a file for each panel
  for (const int64_t entry : task.entries)
    report.panels.emplace_back().name = PanelName(task, entry);
  for (const render::ReportArray& array :
       render::ArraysOf(report, options.maps))
    guard.Writes("--maps", array.path);
}

render::AttentionPanel PanelOf(const InspectTask& task,
                               const InspectedEntry& entry) {
  render::AttentionPanel panel =
      inspect::PanelOf(entry.statistics, entry.heads, task.shape, *task.maps);
  const std::string name = PanelName(task, entry.number);
  if (!name.empty()) panel.name = name;
  return panel;
}

}  // namespace keylens::cli
