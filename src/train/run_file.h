#ifndef KEYLENS_SRC_TRAIN_RUN_FILE_H_
#define KEYLENS_SRC_TRAIN_RUN_FILE_H_

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace keylens::train {

// What a run was told, as a person would type it: run.json in its folder,
//
//   {"system": "classifier", "options": {"lr": ["0.002"], "seed": ["7"]}}
//
// so that it can be gone on with by its folder alone.
struct RunFile {
  using Options = std::map<std::string, std::vector<std::string>>;

  std::string system;
  Options options;  // by name, without dashes
};

// None where the folder has no such file. Throws Error, naming it, where it
// cannot be read or says something else.
std::optional<RunFile> ReadRunFile(const std::filesystem::path& folder);

void WriteRunFile(const std::filesystem::path& folder, const RunFile& run);

}  // namespace keylens::train

#endif  // KEYLENS_SRC_TRAIN_RUN_FILE_H_
