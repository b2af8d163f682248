// keylens inspect: what the heads of any attention do, from its queries and
// keys.

#include <memory>
#include <string>

#include "app/cli/inspect/options.h"
#include "app/cli/inspect/outputs.h"
#include "app/cli/inspect/task.h"
#include "app/cli/verb.h"
#include "src/render/sheets/attention_report_files.h"

namespace keylens::cli {
namespace {

void Inspect(const InspectOptions& options) {
  CheckInspectOptions(options);
  const InspectTask task = MakeInspectTask(options);
  CheckInspectOutputs(task, options);
  render::AttentionReport report;
  report.title = options.query + ", " + options.key;
  report.notes = NotesOf(task, options);
  for (const int64_t number : task.entries) {
    const InspectedEntry entry = LookAt(task, number, options);
    options.json ? PrintJson(task, entry, options)
                 : PrintText(task, entry, options);
    if (task.maps != nullptr) report.panels.push_back(PanelOf(task, entry));
  }
  if (task.maps != nullptr) render::WriteAttentionReport(report, options.maps);
}

}  // namespace

void AddInspectVerb(CLI::App& app) {
  CLI::App* verb = app.add_subcommand(
      "inspect",
      "what the heads of any attention do, from its queries and keys");
  auto options = std::make_shared<InspectOptions>();
  AddInspectOptions(*verb, *options);
  verb->callback([options] { Inspect(*options); });
}

}  // namespace keylens::cli
