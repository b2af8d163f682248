#include <fmt/format.h>

#include <array>
#include <string_view>
#include <utility>

#include "src/base/error.h"
#include "src/base/file.h"
#include "src/base/file_extension.h"
#include "src/checkpoint/npy.h"
#include "src/render/report/attention_report_npy.h"
#include "src/render/report/attention_report_outputs.h"
#include "src/render/sheets/attention_report_files.h"

namespace keylens::render {
namespace {

namespace fs = std::filesystem;

std::string PngBytes(const AttentionReport& report) {
  return EncodePng(DrawAttentionReport(report),
                   {{"Title", report.title}, {"Software", "keylens"}});
}

std::string JsonLine(const AttentionReport& report) {
  return AttentionReportJson(report) + "\n";
}

using Bytes = std::string (*)(const AttentionReport&);

// The formats of one file. ".npy" may take several.
constexpr std::array kFormats = {
    std::pair<std::string_view, Bytes>{".svg", AttentionReportSvg},
    std::pair<std::string_view, Bytes>{".png", PngBytes},
    std::pair<std::string_view, Bytes>{".html", AttentionReportHtml},
    std::pair<std::string_view, Bytes>{".json", JsonLine}};
constexpr std::string_view kArrays = ".npy";

// Null for arrays.
Bytes FormatOf(const fs::path& path) {
  const std::string extension = ExtensionOf(path);
  if (extension == kArrays) return nullptr;
  for (const auto& [known, bytes] : kFormats) {
    if (extension == known) return bytes;
  }
  throw Error(path.string() +
              ": maps are written as .svg, .png, .html, .json or .npy");
}

}  // namespace

void CheckReportPath(const fs::path& path) { FormatOf(path); }

void WriteAttentionReport(const AttentionReport& report, const fs::path& path) {
  const Bytes format = FormatOf(path);
  CheckReport(report, "WriteAttentionReport");
  if (format == nullptr) {
    for (const ReportArray& array : ArraysOf(report, path))
      WriteNpy(array.path, array.shape, array.values);
    return;
  }
  std::string bytes;
  try {
    bytes = format(report);
  } catch (const Error& error) {
    throw Error(path.string() + ": " + error.what());
  }
  WriteFileAtomically(path, bytes);
}

}  // namespace keylens::render
