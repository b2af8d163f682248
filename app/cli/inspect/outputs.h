#ifndef KEYLENS_APP_CLI_INSPECT_OUTPUTS_H_
#define KEYLENS_APP_CLI_INSPECT_OUTPUTS_H_

#include <string>
#include <vector>

#include "app/cli/inspect/options.h"
#include "app/cli/inspect/task.h"
#include "src/render/report/attention_report.h"

namespace keylens::cli {

// "causal", "none", or the array's place.
std::string MaskText(const InspectOptions& options);

// Throws as OutputGuard::Writes does where the maps would replace what is read.
void CheckInspectOutputs(const InspectTask& task,
                         const InspectOptions& options);

// What was read, a line each.
std::vector<std::string> NotesOf(const InspectTask& task,
                                 const InspectOptions& options);

// Print one entry of the batch on standard output: as tables, or as a part of
// the JSON object that the first entry opens and the last one closes
// (docs/inspecting.md).
void PrintText(const InspectTask& task, const InspectedEntry& entry,
               const InspectOptions& options);
void PrintJson(const InspectTask& task, const InspectedEntry& entry,
               const InspectOptions& options);

// The entry's maps.
render::AttentionPanel PanelOf(const InspectTask& task,
                               const InspectedEntry& entry);

}  // namespace keylens::cli

#endif  // KEYLENS_APP_CLI_INSPECT_OUTPUTS_H_
