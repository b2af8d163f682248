#include "systems/classifier/data/gzip.h"

// zlib.h takes what it reads as const only where this is set.
#define ZLIB_CONST
#include <zlib.h>

#include <algorithm>
#include <array>
#include <limits>

#include "src/base/error.h"

namespace keylens::classifier {
namespace {

constexpr int kGzipWindow = 15 + 16;  // of the largest window, gzip's header

class Inflater {
 public:
  Inflater() {
    if (inflateInit2(&stream_, kGzipWindow) != Z_OK)
      throw Error("zlib cannot be started");
  }
  ~Inflater() { inflateEnd(&stream_); }
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;

  z_stream& stream() { return stream_; }

 private:
  z_stream stream_ = {};
};

}  // namespace

std::string Gunzip(std::string_view bytes, const std::string& name,
                   int64_t max_bytes) {
  if (bytes.size() > std::numeric_limits<uInt>::max())
    throw Error(name + ": is too large");
  Inflater inflater;
  z_stream& stream = inflater.stream();
  stream.next_in = reinterpret_cast<const Bytef*>(bytes.data());
  stream.avail_in = static_cast<uInt>(bytes.size());
  std::string content;
  std::array<char, 1 << 16> buffer;
  for (int status = Z_OK; status != Z_STREAM_END;) {
    stream.next_out = reinterpret_cast<Bytef*>(buffer.data());
    stream.avail_out = static_cast<uInt>(buffer.size());
    status = inflate(&stream, Z_NO_FLUSH);
    const std::size_t made = buffer.size() - stream.avail_out;
    // Z_BUF_ERROR: there is nothing left to read.
    if (status != Z_OK && status != Z_STREAM_END)
      throw Error(name + ": is no gzip file, damaged or cut short");
    if (static_cast<int64_t>(content.size() + made) > max_bytes)
      throw Error(name + ": holds more than such a file can");
    content.append(buffer.data(), made);
  }
  return content;
}

}  // namespace keylens::classifier
