#ifndef KEYLENS_SRC_BASE_TEMPORARY_NAME_H_
#define KEYLENS_SRC_BASE_TEMPORARY_NAME_H_

#include <filesystem>
#include <string>
#include <string_view>

namespace keylens {

// A hidden file or folder beside `path` while it is being written:
// `.NAME.XXXXXX`, with a random end.
//
// Its writer holds a lock on it (flock), which the kernel drops when the writer
// ends, however it ends. So the next writer of that name knows which of those
// that lie beside it belong to nobody, and removes them.
class TemporaryName {
 public:
  enum class Kind { kFile, kFolder };

  TemporaryName() = default;
  // Makes it, with the access that any new file has, and removes what dead
  // writers left. Where that is not possible, ok() is false and errno says why.
  TemporaryName(const std::filesystem::path& path, Kind kind);
  // Drops the lock; what is still there stays.
  ~TemporaryName();
  TemporaryName(const TemporaryName&) = delete;
  TemporaryName& operator=(const TemporaryName&) = delete;

  bool ok() const { return descriptor_ >= 0; }
  const std::filesystem::path& path() const { return path_; }
  // Open for writing where it is a file.
  int descriptor() const { return descriptor_; }

 private:
  std::filesystem::path path_;
  int descriptor_ = -1;
};

// The NAME of a file name ".NAME.XXXXXX" that a writer made; empty for others.
std::string NameBeingWritten(std::string_view file_name);

}  // namespace keylens

#endif  // KEYLENS_SRC_BASE_TEMPORARY_NAME_H_
