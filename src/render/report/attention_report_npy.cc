#include "src/render/report/attention_report_npy.h"

#include <fmt/format.h>

#include <set>
#include <string>
#include <string_view>
#include <utility>

namespace keylens::render {
namespace {

namespace fs = std::filesystem;

bool MayStandInName(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
         (c >= '0' && c <= '9') || c == '-' || c == '_' || c == '.';
}

// "cross-attention, part 1" -> "cross-attention-part-1"
std::string InFileName(std::string_view text) {
  std::string name;
  for (const char c : text) {
    if (MayStandInName(c)) {
      name += c;
    } else if (!name.ends_with('-')) {
      name += '-';
    }
  }
  return name;
}

// Gives out names that were not given out before.
class FileNames {
 public:
  explicit FileNames(fs::path path) : path_(std::move(path)) {}

  // maps.npy, or maps.NAME.npy
  fs::path For(const std::string& name) {
    std::string taken = name;
    for (int i = 2; !taken_.insert(taken).second; ++i)
      taken = fmt::format("{}-{}", name, i);
    fs::path path = path_;
    return path.replace_filename(path_.stem().string() + taken +
                                 path_.extension().string());
  }

 private:
  fs::path path_;
  std::set<std::string> taken_;
};

}  // namespace

std::vector<ReportArray> ArraysOf(const AttentionReport& report,
                                  const fs::path& path) {
  FileNames names(path);
  std::vector<ReportArray> arrays;
  for (const AttentionPanel& panel : report.panels) {
    const std::string name = report.panels.size() == 1
                                 ? ""
                                 : fmt::format(".{}", InFileName(panel.name));
    const auto queries = static_cast<int64_t>(panel.queries.size());
    const auto keys = static_cast<int64_t>(panel.keys.size());
    arrays.push_back({names.For(name),
                      {panel.steps, panel.layers, panel.heads, queries, keys},
                      panel.weights});
    for (const NamedMap& map : panel.named_maps) {
      arrays.push_back(
          {names.For(fmt::format("{}.{}", name, InFileName(map.name))),
           {queries, keys},
           map.weights});
    }
  }
  return arrays;
}

}  // namespace keylens::render
