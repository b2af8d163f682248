#ifndef KEYLENS_APP_CLI_RESUME_H_
#define KEYLENS_APP_CLI_RESUME_H_

#include <filesystem>
#include <functional>
#include <set>
#include <string>

#include "app/cli/verb.h"
#include "src/train/run_file.h"

namespace keylens::cli {

// What `keylens train SYSTEM` knows of the options of its runs.
struct RunKind {
  std::string system;
  // Options, without dashes, that are part of the model or of its data, and so
  // cannot change within a run.
  std::set<std::string> fixed;
  // What the model in that folder, which a run exported, says of its options.
  // For runs of before there was run.json.
  std::function<train::RunFile::Options(const std::filesystem::path& model)>
      of_model;
};

// For --resume: gives the options of `verb` that were not given the values that
// the run in `out` has. Throws UsageError where one of `kind.fixed` was given
// another value than the run has; Error where the run is one of another system,
// or its file cannot be read. Returns a line to show for a run of before
// run.json, whose other options are not known; otherwise nothing.
std::string TakeOptionsOfRun(CLI::App& verb, const RunKind& kind,
                             const std::filesystem::path& out);

// The value of each option of `verb`, given or not; paths of --data and --from
// absolute.
train::RunFile::Options OptionsToKeep(const CLI::App& verb);

}  // namespace keylens::cli

#endif  // KEYLENS_APP_CLI_RESUME_H_
