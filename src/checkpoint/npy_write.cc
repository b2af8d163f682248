#include <bit>
#include <stdexcept>
#include <string>
#include <string_view>

#include "src/base/file.h"
#include "src/checkpoint/npy.h"

namespace keylens {
namespace {

static_assert(std::endian::native == std::endian::little,
              "the files are little-endian");

// A Python tuple: "()", "(3,)", "(3, 4)".
std::string TupleText(std::span<const int64_t> shape) {
  std::string text = "(";
  for (std::size_t i = 0; i < shape.size(); ++i) {
    if (i > 0) text += ", ";
    text += std::to_string(shape[i]);
  }
  return text + (shape.size() == 1 ? ",)" : ")");
}

void CheckCount(std::span<const int64_t> shape, std::size_t count) {
  int64_t expected = 1;
  bool fits = true;
  for (const int64_t size : shape)
    fits =
        fits && size >= 0 && !__builtin_mul_overflow(expected, size, &expected);
  if (fits && static_cast<std::size_t>(expected) == count) return;
  throw std::invalid_argument("WriteNpy: " + std::to_string(count) +
                              " values for the shape " + TupleText(shape));
}

// Magic, version 1.0, the header's length, and the header, padded so that the
// values start at a multiple of 64
// (https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html).
std::string NpyHeader(std::span<const int64_t> shape) {
  constexpr std::size_t kAlignment = 64;
  constexpr std::size_t kPreludeBytes = 10;
  std::string header =
      "{'descr': '<f4', 'fortran_order': False, 'shape': " + TupleText(shape) +
      ", }";
  const std::size_t unpadded = kPreludeBytes + header.size() + 1;
  header.append((kAlignment - unpadded % kAlignment) % kAlignment, ' ');
  header.push_back('\n');
  if (header.size() > 0xFFFF) {
    throw std::invalid_argument("WriteNpy: a rank of " +
                                std::to_string(shape.size()) +
                                " is too many for a header");
  }
  std::string bytes("\x93NUMPY\x01\x00", 8);
  bytes.push_back(static_cast<char>(header.size() & 0xFF));
  bytes.push_back(static_cast<char>(header.size() >> 8));
  return bytes + header;
}

}  // namespace

void WriteNpy(const std::filesystem::path& path, std::span<const int64_t> shape,
              std::span<const float> values) {
  CheckCount(shape, values.size());
  AtomicFile file(path);
  file.Write(NpyHeader(shape));
  file.Write(
      {reinterpret_cast<const char*>(values.data()), values.size_bytes()});
  file.Commit();
}

}  // namespace keylens
