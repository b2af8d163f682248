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

struct Format {
  std::string_view extension;
  Bytes bytes;  // null: arrays, which may be several files
  ReportTraits traits;
};

constexpr std::array kFormats = {
    Format{".svg", AttentionReportSvg, {.picture = true}},
    Format{".png", PngBytes, {.picture = true}},
    Format{".html", AttentionReportHtml, {.page = true}},
    Format{".json", JsonLine, {}}, Format{".npy", nullptr, {.arrays = true}}};

const Format& FormatOf(const fs::path& path) {
  const std::string extension = ExtensionOf(path);
  for (const Format& format : kFormats) {
    if (extension == format.extension) return format;
  }
  throw Error(path.string() + ": maps are written as " + kFormatsText);
}

}  // namespace

ReportTraits TraitsOf(const fs::path& path) { return FormatOf(path).traits; }

void CheckReportPath(const fs::path& path) { FormatOf(path); }

void WriteAttentionReport(const AttentionReport& report, const fs::path& path) {
  const Bytes format = FormatOf(path).bytes;
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
