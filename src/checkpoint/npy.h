#ifndef KEYLENS_SRC_CHECKPOINT_NPY_H_
#define KEYLENS_SRC_CHECKPOINT_NPY_H_

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "src/checkpoint/element_type.h"

namespace keylens {

// An array as numpy.save writes it, in format 1.0, 2.0 or 3.0
// (https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html).
//
// Little-endian floats of 16, 32 and 64 bits, integers of 32 and 64, bytes and
// booleans are read, and bfloat16, which numpy does not know: ml_dtypes has it
// saved as two bytes without a meaning (V2). A file is refused, with an Error
// that names it, unless its size is what its header says and booleans are 0 or
// 1. Any bytes are safe to pass.
class NpyArray {
 public:
  // Reads the whole file.
  static NpyArray Read(const std::filesystem::path& path);
  // Takes the bytes of a file; errors start with `name`.
  static NpyArray Parse(std::string bytes, const std::string& name);

  ElementType type() const { return type_; }
  const std::vector<int64_t>& shape() const { return shape_; }
  // Elements from one index of an axis to the next: the last axis lies dense,
  // or, in Fortran's order, the first. 0 where there are no elements.
  const std::vector<int64_t>& strides() const { return strides_; }
  // The elements as they lie in the file: they start at a multiple of 16 bytes
  // of it, or anywhere in files of old.
  std::span<const std::byte> bytes() const {
    return std::as_bytes(std::span(file_)).subspan(data_at_);
  }

 private:
  NpyArray() = default;

  ElementType type_ = ElementType::kFloat32;
  std::vector<int64_t> shape_, strides_;
  std::string file_;
  std::size_t data_at_ = 0;
};

// Writes a float32 array, row-major, in NumPy's format 1.0, atomically.
void WriteNpy(const std::filesystem::path& path, std::span<const int64_t> shape,
              std::span<const float> values);

}  // namespace keylens

#endif  // KEYLENS_SRC_CHECKPOINT_NPY_H_
