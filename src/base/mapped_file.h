#ifndef KEYLENS_SRC_BASE_MAPPED_FILE_H_
#define KEYLENS_SRC_BASE_MAPPED_FILE_H_

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string_view>

namespace keylens {

// A file as read-only memory: its pages are read when they are touched, are
// shared with every other process that has the file open, and can be dropped
// by the kernel at any time. The file may be read-only, and may be replaced by
// another of its name (as AtomicFile does): the mapping keeps the old one.
//
// A file that somebody truncates in place is another matter: a page that is no
// longer there raises SIGBUS when it is touched. CheckSize tells before, and is
// called wherever a stretch of the file is about to be read; what remains is a
// file cut within that very read.
class MappedFile {
 public:
  // Throws Error, naming the file, when it is missing, is no regular file, or
  // cannot be read.
  explicit MappedFile(const std::filesystem::path& path);
  ~MappedFile();
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  std::span<const std::byte> bytes() const { return bytes_; }
  std::string_view text() const {
    return {reinterpret_cast<const char*>(bytes_.data()), bytes_.size()};
  }
  const std::filesystem::path& path() const { return path_; }

  // Throws Error, naming the file, when it is shorter than when it was opened.
  void CheckSize() const;

 private:
  [[noreturn]] void Fail(const char* what) const;
  void Map();

  std::filesystem::path path_;
  int descriptor_ = -1;
  std::span<const std::byte> bytes_;
};

}  // namespace keylens

#endif  // KEYLENS_SRC_BASE_MAPPED_FILE_H_
