#include "src/train/run_file.h"

#include <nlohmann/json.hpp>

#include "src/base/error.h"
#include "src/base/file.h"

namespace keylens::train {
namespace {

constexpr int64_t kMaxBytes = 1 << 20;

std::filesystem::path PathIn(const std::filesystem::path& folder) {
  return folder / "run.json";
}

}  // namespace

std::optional<RunFile> ReadRunFile(const std::filesystem::path& folder) {
  const std::filesystem::path path = PathIn(folder);
  if (!std::filesystem::exists(path)) return {};
  try {
    const auto json = nlohmann::json::parse(ReadFile(path, kMaxBytes));
    return RunFile{json.at("system"),
                   json.at("options").get<RunFile::Options>()};
  } catch (const nlohmann::json::exception&) {
    throw Error(path.string() +
                ": is not what a run writes (a system and its options); "
                "without this file --resume goes on with the options that it "
                "is given");
  }
}

void WriteRunFile(const std::filesystem::path& folder, const RunFile& run) {
  const nlohmann::ordered_json json = {{"system", run.system},
                                       {"options", run.options}};
  WriteFileAtomically(PathIn(folder), json.dump(2) + "\n");
}

}  // namespace keylens::train
