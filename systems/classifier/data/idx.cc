#include "systems/classifier/data/idx.h"

#include <fmt/format.h>

#include <utility>

#include "src/base/error.h"
#include "src/base/file.h"
#include "systems/classifier/data/gzip.h"

namespace keylens::classifier {
namespace {

// The largest of the family, EMNIST by class, has half of this.
constexpr int64_t kMaxBytes = int64_t{1} << 30;
constexpr uint8_t kUnsignedBytes = 8;

uint8_t ByteAt(const std::string& bytes, std::size_t at) {
  return static_cast<uint8_t>(bytes[at]);
}

int64_t LengthAt(const std::string& bytes, std::size_t at) {
  int64_t length = 0;
  for (std::size_t i = at; i < at + 4; ++i)
    length = length << 8 | ByteAt(bytes, i);
  return length;
}

}  // namespace

IdxArray IdxArray::Parse(std::string bytes, const std::string& name, int axes) {
  const std::size_t header = 4 + 4 * static_cast<std::size_t>(axes);
  if (bytes.size() < header || ByteAt(bytes, 0) != 0 || ByteAt(bytes, 1) != 0 ||
      ByteAt(bytes, 2) != kUnsignedBytes || ByteAt(bytes, 3) != axes) {
    throw Error(fmt::format(
        "{}: is no IDX file of unsigned bytes along {} axes", name, axes));
  }
  IdxArray array;
  array.header_ = header;
  int64_t size = 1;
  for (std::size_t at = 4; at < header; at += 4) {
    const int64_t length = LengthAt(bytes, at);
    if (length == 0) throw Error(name + ": has an empty axis");
    array.shape_.push_back(length);
    // Beyond any file: the comparison below says so.
    size = size > kMaxBytes ? size : size * length;
  }
  if (static_cast<int64_t>(bytes.size() - header) != size) {
    throw Error(fmt::format("{}: has {} bytes of data; its header asks for {}",
                            name, bytes.size() - header,
                            fmt::join(array.shape_, " x ")));
  }
  array.bytes_ = std::move(bytes);
  return array;
}

IdxArray IdxArray::Read(const std::filesystem::path& path, int axes) {
  std::string bytes = ReadFile(path, kMaxBytes);
  if (path.extension() == ".gz") {
    bytes = Gunzip(bytes, path.string(), kMaxBytes);
  }
  return Parse(std::move(bytes), path.string(), axes);
}

}  // namespace keylens::classifier
