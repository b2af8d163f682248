#ifndef KEYLENS_SYSTEMS_CLASSIFIER_DATA_IDX_H_
#define KEYLENS_SYSTEMS_CLASSIFIER_DATA_IDX_H_

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace keylens::classifier {

// An array of bytes in MNIST's format (http://yann.lecun.com/exdb/mnist/): two
// zeros, 8 for unsigned bytes, the number of axes, each axis' length as a
// big-endian 32-bit number, and the bytes, row-major.
class IdxArray {
 public:
  // Takes the bytes of a file; errors start with `name`. Throws Error unless it
  // holds unsigned bytes along `axes` axes, none empty, and nothing else. Any
  // bytes are safe to pass.
  static IdxArray Parse(std::string bytes, const std::string& name, int axes);
  // Reads `path`, which is decompressed where it ends in .gz.
  static IdxArray Read(const std::filesystem::path& path, int axes);

  const std::vector<int64_t>& shape() const { return shape_; }
  std::span<const uint8_t> values() const {
    return {reinterpret_cast<const uint8_t*>(bytes_.data()) + header_,
            bytes_.size() - header_};
  }
  const std::string& bytes() const { return bytes_; }  // of the whole file

 private:
  IdxArray() = default;

  std::string bytes_;
  std::size_t header_ = 0;
  std::vector<int64_t> shape_;
};

}  // namespace keylens::classifier

#endif  // KEYLENS_SYSTEMS_CLASSIFIER_DATA_IDX_H_
