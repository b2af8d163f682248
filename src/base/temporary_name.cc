#include "src/base/temporary_name.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <random>
#include <string>
#include <string_view>
#include <system_error>

namespace keylens {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kEndLength = 6;

bool IsDigit(char c) { return c >= '0' && c <= '9'; }
bool IsLower(char c) { return c >= 'a' && c <= 'z'; }
bool IsUpper(char c) { return c >= 'A' && c <= 'Z'; }

// Whether a random end, and nothing that a person would write: ".notes.backup"
// and ".notes.202611" are somebody's own.
bool IsRandomEnd(std::string_view end) {
  if (end.size() != kEndLength) return false;
  const bool letters_and_digits = std::ranges::all_of(
      end, [](char c) { return IsDigit(c) || IsLower(c) || IsUpper(c); });
  const std::string_view rest = end.substr(1);
  return letters_and_digits && !std::ranges::all_of(end, IsDigit) &&
         !std::ranges::all_of(rest, IsLower) &&
         !std::ranges::all_of(end, IsUpper);
}

std::string RandomEnd() {
  constexpr std::string_view kLetters =
      "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
  std::random_device random;
  std::string end;
  while (!IsRandomEnd(end)) {
    end.clear();
    for (std::size_t i = 0; i < kEndLength; ++i)
      end += kLetters[random() % kLetters.size()];
  }
  return end;
}

std::string HiddenName(const fs::path& path) {
  return std::string(".")
      .append(path.filename().string())
      .append(".")
      .append(RandomEnd());
}

fs::path FolderOf(const fs::path& path) {
  return path.parent_path().empty() ? fs::path(".") : path.parent_path();
}

// The new file or folder, open; -1 and errno where that is not possible.
int Make(const fs::path& path, TemporaryName::Kind kind) {
  if (kind == TemporaryName::Kind::kFile)
    return open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (mkdir(path.c_str(), 0777) != 0) return -1;
  return open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

// Between making and locking, another writer may have taken it for a dead one's
// and removed it.
bool LockIfStillThere(int descriptor, const fs::path& path) {
  // A file system without locks has writers that never see each other's files
  // as dead, for they cannot lock them either.
  while (flock(descriptor, LOCK_EX) != 0 && errno == EINTR) {
  }
  struct stat held {};
  struct stat there {};
  return fstat(descriptor, &held) == 0 && lstat(path.c_str(), &there) == 0 &&
         held.st_ino == there.st_ino && held.st_dev == there.st_dev;
}

void RemoveIfDead(const fs::path& path) {
  struct stat status {};
  if (lstat(path.c_str(), &status) != 0) return;
  if (!S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode)) return;
  const int descriptor =
      open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  if (descriptor < 0) return;
  if (flock(descriptor, LOCK_EX | LOCK_NB) == 0) {
    std::error_code ignored;  // then the next writer tries again
    fs::remove_all(path, ignored);
  }
  close(descriptor);
}

void RemoveDead(const fs::path& path) {
  const std::string own = path.filename().string();
  std::error_code error;
  fs::directory_iterator entry(FolderOf(path), error);
  for (; !error && entry != fs::directory_iterator(); entry.increment(error)) {
    if (NameBeingWritten(entry->path().filename().string()) == own)
      RemoveIfDead(entry->path());
  }
}

}  // namespace

TemporaryName::TemporaryName(const fs::path& path, Kind kind) {
  RemoveDead(path);
  constexpr int kTries = 100;
  for (int i = 0; i < kTries; ++i) {
    path_ = path.parent_path() / HiddenName(path);
    descriptor_ = Make(path_, kind);
    if (descriptor_ < 0 && errno != EEXIST) return;
    if (descriptor_ < 0) continue;
    if (LockIfStillThere(descriptor_, path_)) return;
    close(descriptor_);
    descriptor_ = -1;
    errno = EAGAIN;
  }
}

std::string NameBeingWritten(std::string_view file_name) {
  const std::size_t end = file_name.size() - kEndLength;
  if (file_name.size() < kEndLength + 3 || file_name[0] != '.' ||
      file_name[end - 1] != '.' || !IsRandomEnd(file_name.substr(end)))
    return "";
  return std::string(file_name.substr(1, end - 2));
}

TemporaryName::~TemporaryName() {
  if (descriptor_ >= 0) close(descriptor_);
}

}  // namespace keylens
