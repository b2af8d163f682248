#include "src/base/file.h"

#include <fcntl.h>
#include <sys/stat.h>
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

AtomicFile::AtomicFile(fs::path path) : path_(std::move(path)) {
  const std::string hidden = std::string(".").append(path_.filename().string());
  std::string name = path_.parent_path() / (hidden + ".XXXXXX");
  const int descriptor = mkostemp(name.data(), O_CLOEXEC);
  if (descriptor < 0) Fail("cannot be written");
  temporary_path_ = name;
  // mkostemp gives the file to its owner alone; a result is readable as any new
  // file is.
  const mode_t mask = umask(0);
  umask(mask);
  fchmod(descriptor, 0666 & ~mask);
  stream_ = fdopen(descriptor, "wb");
  if (stream_ == nullptr) {
    close(descriptor);
    unlink(name.c_str());
    Fail("cannot be written");
  }
}

AtomicFile::~AtomicFile() {
  if (stream_ != nullptr) std::fclose(stream_);
  if (!temporary_path_.empty()) unlink(temporary_path_.c_str());
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
  if (std::rename(temporary_path_.c_str(), path_.c_str()) != 0)
    Fail("cannot be replaced");
  temporary_path_.clear();
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
