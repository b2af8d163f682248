#include "src/train/json_lines.h"

#include <nlohmann/json.hpp>
#include <sstream>
#include <string>

#include "src/base/file.h"

namespace keylens::train {
namespace {

bool IsWithin(const std::string& line, int64_t last_step) {
  const auto json = nlohmann::json::parse(line, nullptr, false);
  return json.is_object() && json.contains("step") &&
         json["step"].is_number_integer() && json["step"] <= last_step;
}

}  // namespace

void KeepLinesUpTo(const std::filesystem::path& path, int64_t last_step) {
  std::string kept;
  if (last_step > 0 && std::filesystem::exists(path)) {
    std::istringstream lines(ReadFile(path));
    for (std::string line; std::getline(lines, line);)
      if (IsWithin(line, last_step)) kept += line + "\n";
  }
  WriteFileAtomically(path, kept);
}

}  // namespace keylens::train
