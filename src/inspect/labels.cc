#include "src/inspect/labels.h"

#include <algorithm>
#include <cstddef>
#include <string_view>

#include "src/base/error.h"
#include "src/base/file.h"
#include "src/base/utf8.h"

namespace keylens::inspect {
namespace {

// Text for people: longer files are a mistake.
constexpr int64_t kMaxLabelBytes = int64_t{1} << 28;

std::vector<std::string> LinesOf(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    if (line.ends_with('\r')) line.remove_suffix(1);
    lines.emplace_back(line);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

}  // namespace

std::vector<std::string> LabelsOrNumbers(const std::vector<std::string>& labels,
                                         int64_t count) {
  if (!labels.empty()) return labels;
  std::vector<std::string> numbers;
  for (int64_t i = 0; i < count; ++i) numbers.push_back(std::to_string(i));
  return numbers;
}

std::vector<std::string> ReadLabels(const std::string& file, int64_t count,
                                    const std::string& places) {
  std::vector<std::string> labels = LinesOf(ReadFile(file, kMaxLabelBytes));
  if (static_cast<int64_t>(labels.size()) != count) {
    throw Error(file + ": " + std::to_string(labels.size()) + " labels for " +
                std::to_string(count) + " " + places +
                "; it takes a line for each");
  }
  for (std::size_t i = 0; i < labels.size(); ++i) {
    if (!IsUtf8(labels[i]))
      throw Error(file + ": line " + std::to_string(i + 1) + " is not UTF-8");
  }
  return labels;
}

}  // namespace keylens::inspect
