#include "src/base/file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <system_error>
#include <utility>

#include "src/base/error.h"

namespace keylens {

namespace fs = std::filesystem;

std::string ReadFile(const fs::path& path, int64_t max_bytes) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (!fs::exists(status)) throw Error(path.string() + ": no such file");
  if (!fs::is_regular_file(status))
    throw Error(path.string() + ": not a regular file");
  const auto size = fs::file_size(path, error);
  if (error) throw Error(path.string() + ": " + error.message());
  if (size > static_cast<uintmax_t>(max_bytes)) {
    throw Error(path.string() + ": " + std::to_string(size) +
                " bytes, more than the " + std::to_string(max_bytes) +
                " that are read");
  }
  std::ifstream in(path, std::ios::binary);
  if (!in)
    throw Error(path.string() + ": cannot be read: " + std::strerror(errno));
  std::string bytes(size, '\0');
  in.read(bytes.data(), static_cast<std::streamsize>(size));
  if (in.gcount() != static_cast<std::streamsize>(size))
    throw Error(path.string() + ": changed while being read");
  return bytes;
}

AtomicFile::AtomicFile(fs::path path)
    : path_(std::move(path)), temporary_(path_, TemporaryName::Kind::kFile) {
  if (!temporary_.ok()) Fail("cannot be written");
  // The stream has a descriptor of its own: the lock lasts until the file has
  // its name.
  const int descriptor = fcntl(temporary_.descriptor(), F_DUPFD_CLOEXEC, 0);
  stream_ = descriptor < 0 ? nullptr : fdopen(descriptor, "wb");
  if (stream_ == nullptr) {
    const int error = errno;
    if (descriptor >= 0) close(descriptor);
    unlink(temporary_.path().c_str());
    errno = error;
    Fail("cannot be written");
  }
}

AtomicFile::~AtomicFile() {
  if (stream_ != nullptr) std::fclose(stream_);
  if (!committed_) unlink(temporary_.path().c_str());
}

void AtomicFile::Write(std::string_view bytes) {
  if (bytes.empty()) return;
  if (std::fwrite(bytes.data(), 1, bytes.size(), stream_) != bytes.size())
    Fail("cannot be written");
}

void AtomicFile::Commit() {
  if (std::fflush(stream_) != 0 || fsync(fileno(stream_)) != 0)
    Fail("cannot be written");
  const int closed = std::fclose(std::exchange(stream_, nullptr));
  if (closed != 0) Fail("cannot be written");
  if (std::rename(temporary_.path().c_str(), path_.c_str()) != 0)
    Fail("cannot be replaced");
  committed_ = true;
}

void AtomicFile::Fail(const char* what) const {
  throw Error(path_.string() + ": " + what + ": " + std::strerror(errno));
}

void WriteFileAtomically(const fs::path& path, std::string_view bytes) {
  AtomicFile file(path);
  file.Write(bytes);
  file.Commit();
}

void RemoveFile(const fs::path& path) {
  std::error_code error;
  fs::remove(path, error);
  if (error)
    throw Error(path.string() + ": cannot be removed: " + error.message());
}

void MakeFolder(const fs::path& path) {
  std::error_code error;
  fs::create_directories(path, error);
  if (error)
    throw Error(path.string() + ": cannot make the folder: " + error.message());
  if (!fs::is_directory(path, error))
    throw Error(path.string() + ": not a folder");
}

}  // namespace keylens
