#ifndef KEYLENS_APP_CLI_INSPECT_OPTIONS_H_
#define KEYLENS_APP_CLI_INSPECT_OPTIONS_H_

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <cstdint>
#include <optional>
#include <string>

namespace keylens::cli {

// What `keylens inspect` is told, as it was given.
struct InspectOptions {
  std::string query, key, mask;
  bool causal = false;
  bool cross = false;
  bool length_first = false;
  std::optional<float> scale;
  std::string labels, query_labels, key_labels;
  std::string groups, query_groups, key_groups, group_labels;
  std::string queries;  // to list
  int64_t top = 3;
  std::optional<int64_t> batch_item;
  std::string maps;
  bool json = false;
  int threads = 0;
};

// Declares them on `verb`.
void AddInspectOptions(CLI::App& verb, InspectOptions& options);

// Throws UsageError for what does not go together, before a file is read.
void CheckInspectOptions(const InspectOptions& options);

}  // namespace keylens::cli

#endif  // KEYLENS_APP_CLI_INSPECT_OPTIONS_H_
