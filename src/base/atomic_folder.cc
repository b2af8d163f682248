#include "src/base/atomic_folder.h"

#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>
#include <system_error>

#include "src/base/error.h"
#include "src/base/file.h"
#include "src/base/temporary_name.h"

namespace keylens {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void Fail(const fs::path& path, const char* what, int error) {
  throw Error(path.string() + ": " + what + ": " + std::strerror(error));
}

// Where a link leads; the link stays.
fs::path Resolved(const fs::path& folder) {
  fs::path path = folder;
  if (!path.has_filename()) path = path.parent_path();  // "model/"
  if (path.filename() == "." || path.filename() == ".." || fs::is_symlink(path))
    path = fs::weakly_canonical(path);
  return path;
}

// Removes the temporary folder, or what has its name after an exchange.
class Cleaner {
 public:
  explicit Cleaner(const fs::path& path) : path_(path) {}
  ~Cleaner() {
    std::error_code ignored;  // the next writer removes it
    fs::remove_all(path_, ignored);
  }
  Cleaner(const Cleaner&) = delete;
  Cleaner& operator=(const Cleaner&) = delete;

 private:
  const fs::path& path_;
};

std::string WithName(std::string message, const std::string& temporary,
                     const std::string& folder) {
  for (std::size_t at = message.find(temporary); at != std::string::npos;
       at = message.find(temporary, at + folder.size()))
    message.replace(at, temporary.size(), folder);
  return message;
}

// What a killed writer of one of the new files left in the old folder.
bool IsLeftOver(const std::string& file_name, const fs::path& to) {
  const std::string name = NameBeingWritten(file_name);
  return !name.empty() && fs::exists(to / name);
}

void CarryOver(const fs::path& from, const fs::path& to) {
  fs::create_directories(to);
  for (const auto& entry : fs::directory_iterator(from)) {
    const fs::path name = to / entry.path().filename();
    const auto status = entry.symlink_status();
    if (fs::is_directory(status)) {
      CarryOver(entry.path(), name);
    } else if (!fs::exists(fs::symlink_status(name)) &&
               !IsLeftOver(entry.path().filename().string(), to)) {
      fs::copy(entry.path(), name, fs::copy_options::copy_symlinks);
    }
  }
}

// What was written is on the disk before it has its name.
void SyncFolder(const fs::path& folder) {
  const int descriptor = open(folder.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return;
  fsync(descriptor);
  close(descriptor);
}

void SyncFolders(const fs::path& folder) {
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.is_directory()) SyncFolder(entry.path());
  }
  SyncFolder(folder);
}

void MoveInTwoSteps(const fs::path& temporary, const fs::path& folder) {
  const fs::path old = temporary.string() + ".old";
  if (rename(folder.c_str(), old.c_str()) != 0)
    Fail(folder, "cannot be replaced", errno);
  if (rename(temporary.c_str(), folder.c_str()) != 0) {
    const int error = errno;
    rename(old.c_str(), folder.c_str());
    Fail(folder, "cannot be replaced", error);
  }
  std::error_code ignored;
  fs::remove_all(old, ignored);
}

void TakeName(const fs::path& temporary, const fs::path& folder) {
  if (!fs::exists(folder)) {
    if (rename(temporary.c_str(), folder.c_str()) != 0)
      Fail(folder, "cannot be made", errno);
    return;
  }
  if (!fs::is_directory(folder))
    throw Error(folder.string() + ": not a folder");
  if (renameat2(AT_FDCWD, temporary.c_str(), AT_FDCWD, folder.c_str(),
                RENAME_EXCHANGE) == 0)
    return;
  if (errno != EINVAL && errno != ENOSYS && errno != EXDEV)
    Fail(folder, "cannot be replaced", errno);
  MoveInTwoSteps(temporary, folder);
}

}  // namespace

void WriteFolderAtomically(
    const fs::path& folder,
    const std::function<void(const fs::path& temporary)>& write) {
  const fs::path target = Resolved(folder);
  if (target.has_parent_path()) MakeFolder(target.parent_path());
  const TemporaryName temporary(target, TemporaryName::Kind::kFolder);
  if (!temporary.ok()) Fail(folder, "cannot be written", errno);
  const Cleaner cleaner(temporary.path());
  try {
    write(temporary.path());
    if (fs::is_directory(target)) CarryOver(target, temporary.path());
    SyncFolders(temporary.path());
    TakeName(temporary.path(), target);
    SyncFolder(target.parent_path().empty() ? "." : target.parent_path());
  } catch (const std::exception& error) {
    throw Error(
        WithName(error.what(), temporary.path().string(), folder.string()));
  }
}

}  // namespace keylens
