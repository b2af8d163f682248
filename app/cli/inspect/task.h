#ifndef KEYLENS_APP_CLI_INSPECT_TASK_H_
#define KEYLENS_APP_CLI_INSPECT_TASK_H_

#include <cstdint>
#include <memory>
#include <vector>

#include "app/cli/inspect/options.h"
#include "src/inspect/attention_inputs.h"
#include "src/inspect/head_summary.h"
#include "src/inspect/inspect.h"
#include "src/inspect/labels.h"
#include "src/inspect/maps.h"

namespace keylens::cli {

// What the files say, and what to ask of it.
struct InspectTask {
  inspect::AttentionInputsOfFiles inputs;
  inspect::SequenceShape shape;
  inspect::Labels labels;
  std::vector<int64_t> queries;  // to list
  std::vector<int64_t> entries;  // of the batch
  std::unique_ptr<inspect::Maps> maps;
};

// One batch entry, looked at.
struct InspectedEntry {
  int64_t number = 0;
  inspect::EntryStatistics statistics;
  std::vector<inspect::HeadSummary> heads;
};

// Reads the files. Throws Error, naming the file, for what they cannot be used
// for, and UsageError for options that do not fit them.
InspectTask MakeInspectTask(const InspectOptions& options);

// Runs the engine over one batch entry. Throws as inspect::InspectEntry does.
InspectedEntry LookAt(const InspectTask& task, int64_t number,
                      const InspectOptions& options);

}  // namespace keylens::cli

#endif  // KEYLENS_APP_CLI_INSPECT_TASK_H_
