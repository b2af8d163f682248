#ifndef KEYLENS_SRC_BASE_FILE_H_
#define KEYLENS_SRC_BASE_FILE_H_

#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <string>
#include <string_view>

#include "src/base/temporary_name.h"

namespace keylens {

// Reads a whole file. Throws Error, naming the file, when it is missing, is no
// regular file, cannot be read, or has more than `max_bytes` bytes.
std::string ReadFile(const std::filesystem::path& path,
                     int64_t max_bytes = int64_t{1} << 31);

// A file that appears whole or not at all: bytes go to a hidden file beside
// `path`, and Commit syncs it and renames it into place. Without Commit, the
// destructor removes what was written and `path` keeps its old content; what a
// killed process leaves, the next AtomicFile of that path removes. Every member
// throws Error (a full disk, an unwritable folder), naming `path`.
class AtomicFile {
 public:
  explicit AtomicFile(std::filesystem::path path);
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  void Write(std::string_view bytes);
  void Commit();

  // The file being written, for libraries that write by name; it is empty until
  // something is written.
  const std::filesystem::path& temporary_path() const {
    return temporary_.path();
  }

 private:
  [[noreturn]] void Fail(const char* what) const;

  std::filesystem::path path_;
  TemporaryName temporary_;
  std::FILE* stream_ = nullptr;
  bool committed_ = false;
};

// AtomicFile, Write and Commit in one call.
void WriteFileAtomically(const std::filesystem::path& path,
                         std::string_view bytes);

// Removes the file `path` if there is one. Throws Error, naming it, when that
// is not possible.
void RemoveFile(const std::filesystem::path& path);

// Creates `path` and its parents. Throws Error, naming the folder, when that is
// not possible.
void MakeFolder(const std::filesystem::path& path);

}  // namespace keylens

#endif  // KEYLENS_SRC_BASE_FILE_H_
