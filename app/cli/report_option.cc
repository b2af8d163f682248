#include "app/cli/report_option.h"

#include <fmt/format.h>

#include "src/base/error.h"
#include "src/render/sheets/attention_report_files.h"

namespace keylens::cli {

namespace fs = std::filesystem;

fs::path NumberedPath(const fs::path& path, std::size_t index,
                      std::size_t count) {
  if (count == 1) return path;
  return path.parent_path() / fmt::format("{}-{}{}", path.stem().string(),
                                          index + 1, path.extension().string());
}

void CheckReportOption(const std::string& option, const fs::path& path) {
  try {
    render::CheckReportPath(path);
  } catch (const Error& error) {
    throw UsageError(fmt::format("{}: {}", option, error.what()));
  }
}

void GuardReports(OutputGuard& guard, const std::string& option,
                  const fs::path& path, std::size_t count) {
  CheckReportOption(option, path);
  for (std::size_t i = 0; i < count; ++i)
    guard.Writes(option, NumberedPath(path, i, count));
}

}  // namespace keylens::cli
