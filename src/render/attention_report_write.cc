#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>

#include "src/base/error.h"
#include "src/base/file.h"
#include "src/render/attention_report_outputs.h"

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

struct Format {
  std::string_view extension;
  std::string (*bytes)(const AttentionReport&);
};

constexpr std::array kFormats = {
    Format{".svg", AttentionReportSvg}, Format{".png", PngBytes},
    Format{".html", AttentionReportHtml}, Format{".json", JsonLine}};

const Format& FormatOf(const fs::path& path) {
  std::string extension = path.extension().string();
  std::ranges::transform(extension, extension.begin(),
                         [](unsigned char c) { return std::tolower(c); });
  const auto* found =
      std::ranges::find(kFormats, extension, &Format::extension);
  if (found == kFormats.end()) {
    throw Error(path.string() +
                ": maps are written as .svg, .png, .html or .json");
  }
  return *found;
}

}  // namespace

void CheckReportPath(const fs::path& path) { FormatOf(path); }

void WriteAttentionReport(const AttentionReport& report, const fs::path& path) {
  const Format& format = FormatOf(path);
  CheckReport(report, "WriteAttentionReport");
  std::string bytes;
  try {
    bytes = format.bytes(report);
  } catch (const Error& error) {
    throw Error(path.string() + ": " + error.what());
  }
  WriteFileAtomically(path, bytes);
}

}  // namespace keylens::render
