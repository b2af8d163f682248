#include "src/base/mapped_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "src/base/error.h"

namespace keylens {

MappedFile::MappedFile(const std::filesystem::path& path) : path_(path) {
  // Not blocking: a pipe without a writer would wait for one to come.
  descriptor_ = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor_ < 0) {
    if (errno == ENOENT) throw Error(path_.string() + ": no such file");
    Fail("cannot be read");
  }
  try {
    Map();
  } catch (...) {
    close(descriptor_);
    throw;
  }
}

MappedFile::~MappedFile() {
  if (!bytes_.empty())
    munmap(const_cast<std::byte*>(bytes_.data()), bytes_.size());
  close(descriptor_);
}

void MappedFile::Map() {
  struct stat status {};
  if (fstat(descriptor_, &status) != 0) Fail("cannot be read");
  if (!S_ISREG(status.st_mode))
    throw Error(path_.string() + ": not a regular file");
  const auto size = static_cast<std::size_t>(status.st_size);
  if (size == 0) return;  // nothing to map, which mmap refuses
  void* start = mmap(nullptr, size, PROT_READ, MAP_SHARED, descriptor_, 0);
  if (start == MAP_FAILED) Fail("cannot be mapped");
  bytes_ = {static_cast<const std::byte*>(start), size};
}

void MappedFile::CheckSize() const {
  struct stat status {};
  if (fstat(descriptor_, &status) != 0) Fail("cannot be read");
  if (static_cast<std::size_t>(status.st_size) >= bytes_.size()) return;
  throw Error(path_.string() + ": was cut short while it was in use (to " +
              std::to_string(status.st_size) + " of " +
              std::to_string(bytes_.size()) + " bytes)");
}

void MappedFile::Fail(const char* what) const {
  throw Error(path_.string() + ": " + what + ": " + std::strerror(errno));
}

}  // namespace keylens
