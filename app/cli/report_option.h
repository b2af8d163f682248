#ifndef KEYLENS_APP_CLI_REPORT_OPTION_H_
#define KEYLENS_APP_CLI_REPORT_OPTION_H_

#include <cstddef>
#include <filesystem>
#include <string>

#include "app/cli/output_guard.h"

// Options that take the name of a file for a report of attention.

namespace keylens::cli {

// The name of output `index`, from 0, of `count`: maps.svg where there is one,
// maps-1.svg, maps-2.svg, ... where there are several.
std::filesystem::path NumberedPath(const std::filesystem::path& path,
                                   std::size_t index, std::size_t count);

// Throws UsageError, starting with `option`, for a name that no report is
// written to.
void CheckReportOption(const std::string& option,
                       const std::filesystem::path& path);

// That, for `count` reports by the names of NumberedPath, and that they can be
// written and replace nothing (OutputGuard::Writes).
void GuardReports(OutputGuard& guard, const std::string& option,
                  const std::filesystem::path& path, std::size_t count = 1);

}  // namespace keylens::cli

#endif  // KEYLENS_APP_CLI_REPORT_OPTION_H_
