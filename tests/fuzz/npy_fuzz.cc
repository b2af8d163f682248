// Any bytes as an npy file, and as the header of one whose length is right.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "src/checkpoint/npy.h"
#include "tests/fuzz/read_or_refuse.h"

namespace {

// The elements that shape and strides name are those that are there.
void CheckArray(const keylens::NpyArray& array) {
  const std::size_t size = array.bytes().size();
  int64_t last = 0;
  int64_t count = 1;
  if (array.shape().size() != array.strides().size()) std::abort();
  for (std::size_t axis = 0; axis < array.shape().size(); ++axis) {
    count = count == 0 ? 0 : count * array.shape()[axis];
    last += (array.shape()[axis] - 1) * array.strides()[axis];
  }
  const int64_t element = keylens::SizeOf(array.type());
  if (static_cast<std::size_t>(count * element) != size) std::abort();
  if (count > 0 && last != count - 1) std::abort();
}

void ParseOrRefuse(std::string bytes) {
  ReadOrRefuse(
      [&] { CheckArray(keylens::NpyArray::Parse(std::move(bytes), "fuzz")); });
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, std::size_t size) {
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  ParseOrRefuse(bytes);
  // Up to the last brace is the header, what follows is data.
  const std::size_t end = bytes.rfind('}') + 1;
  if (end == 0 || end > 0xFFFF) return 0;
  std::string framed("\x93NUMPY\x01\x00", 8);
  framed.push_back(static_cast<char>(end & 0xFF));
  framed.push_back(static_cast<char>(end >> 8));
  ParseOrRefuse(framed + bytes);
  return 0;
}
