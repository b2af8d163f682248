#include "src/inspect/labels.h"

#include <cstddef>

#include "src/base/error.h"
#include "src/base/lines.h"
#include "src/base/utf8.h"

namespace keylens::inspect {
namespace {

// Text for people: longer files are a mistake.
constexpr int64_t kMaxLabelBytes = int64_t{1} << 28;

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
  std::vector<std::string> labels = ReadLines(file, kMaxLabelBytes);
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
