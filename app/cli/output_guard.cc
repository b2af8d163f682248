#include "app/cli/output_guard.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <limits>
#include <optional>
#include <string_view>
#include <system_error>

#include "src/base/error.h"
#include "src/base/file_extension.h"

namespace keylens::cli {
namespace {

namespace fs = std::filesystem;

// What the files of a model folder end in, whoever wrote it.
constexpr std::array<std::string_view, 7> kModelFiles = {
    ".json", ".safetensors", ".model", ".txt", ".bin", ".pt", ".spm"};
// The folder itself and its parts (unet/, tokenizer/).
constexpr int kModelDepth = 1;

using FileStatus = struct stat;

std::optional<FileStatus> StatusOf(const fs::path& path) {
  FileStatus status{};
  if (stat(path.c_str(), &status) != 0) return std::nullopt;
  return status;
}

std::optional<FileStatus> StatusOf(int descriptor) {
  FileStatus status{};
  if (fstat(descriptor, &status) != 0) return std::nullopt;
  return status;
}

fs::path FolderOf(const fs::path& path) {
  return path.has_parent_path() ? path.parent_path() : ".";
}

// The path without links, dots and doubled slashes, also where there is no such
// file yet; a link to nothing is followed as well.
fs::path RealPath(fs::path path) {
  constexpr int kMostLinks = 40;  // as Linux follows
  std::error_code ignored;
  for (int i = 0; i < kMostLinks && fs::is_symlink(path, ignored); ++i)
    path = FolderOf(path) / fs::read_symlink(path, ignored);
  return fs::weakly_canonical(fs::absolute(path, ignored), ignored);
}

void CheckTakesFiles(const fs::path& folder) {
  const std::optional<FileStatus> status = StatusOf(folder);
  if (!status) throw Error(folder.string() + ": no such folder");
  if (!S_ISDIR(status->st_mode))
    throw Error(folder.string() + ": not a folder");
  if (access(folder.c_str(), W_OK | X_OK) != 0) {
    throw Error(folder.string() +
                ": no file can be written there: " + std::strerror(errno));
  }
}

bool IsModelFile(const fs::path& path) {
  const std::string extension = ExtensionOf(path);
  return std::ranges::find(kModelFiles, extension) != kModelFiles.end();
}

// Calls `look` for what lies in `folder` and, `depth` deep, in its folders.
// What cannot be listed cannot be read either.
template <typename Look>
void ForEachEntry(const fs::path& folder, int depth, const Look& look) {
  std::error_code failed;
  fs::recursive_directory_iterator entry(
      folder, fs::directory_options::skip_permission_denied, failed);
  while (!failed && entry != fs::recursive_directory_iterator()) {
    look(entry->path());
    if (entry.depth() >= depth) entry.disable_recursion_pending();
    entry.increment(failed);
  }
}

}  // namespace

OutputGuard::OutputGuard() {
  const auto input = StatusOf(STDIN_FILENO), output = StatusOf(STDOUT_FILENO);
  if (input && S_ISREG(input->st_mode))
    read_[{input->st_dev, input->st_ino}] = "standard input";
  if (output && S_ISREG(output->st_mode))
    replaced_[{output->st_dev, output->st_ino}] = "standard output";
}

void OutputGuard::Reads(const fs::path& path) {
  const std::optional<FileStatus> status = StatusOf(path);
  if (!status) return;
  if (S_ISDIR(status->st_mode)) return folders_.push_back(path);
  read_.try_emplace({status->st_dev, status->st_ino}, path.string());
}

void OutputGuard::ReadsModel(const fs::path& folder) {
  models_.push_back(folder);
}

// Folders are walked only when there is a file that may be replaced.
void OutputGuard::ListFolders() {
  const auto add = [this](const fs::path& path) {
    std::error_code gone;
    if (!fs::is_directory(path, gone)) Reads(path);
  };
  for (const fs::path& folder : std::exchange(folders_, {}))
    ForEachEntry(folder, std::numeric_limits<int>::max(), add);
  for (const fs::path& model : std::exchange(models_, {})) {
    ForEachEntry(model, kModelDepth, [&add](const fs::path& path) {
      if (IsModelFile(path)) add(path);
    });
  }
}

void OutputGuard::CheckLosesNothing(const std::string& option,
                                    const fs::path& path) {
  const auto refuse = [&](const std::string& why) {
    throw UsageError(option + ": " + path.string() + why +
                     "; give another name");
  };
  const auto [written, is_new] = written_.try_emplace(RealPath(path), option);
  if (!is_new) refuse(" is what " + written->second + " writes");
  const std::optional<FileStatus> status = StatusOf(path);
  if (!status) return;
  if (S_ISDIR(status->st_mode)) throw Error(path.string() + ": is a folder");
  if (!S_ISREG(status->st_mode)) return;
  ListFolders();
  const FileId id = {status->st_dev, status->st_ino};
  const auto read = read_.find(id);
  if (read != read_.end())
    refuse(" would replace what is read, " + read->second);
  const auto [replaced, first] = replaced_.try_emplace(id, option);
  if (!first) refuse(" is what " + replaced->second + " writes");
}

void OutputGuard::Writes(const std::string& option, const fs::path& path) {
  CheckTakesFiles(FolderOf(path));
  CheckLosesNothing(option, path);
}

void OutputGuard::WritesFolder(const std::string& option,
                               const fs::path& folder,
                               const std::vector<std::string>& names) {
  fs::path there = RealPath(folder);
  while (!StatusOf(there) && there.has_relative_path())
    there = there.parent_path();
  CheckTakesFiles(there);
  for (const std::string& name : names)
    CheckLosesNothing(option, folder / name);
}

}  // namespace keylens::cli
