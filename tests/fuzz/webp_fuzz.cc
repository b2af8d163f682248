// Any bytes as a WebP file.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "tests/fuzz/picture_fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, std::size_t size) {
  keylens::DecodeOrRefuse({reinterpret_cast<const char*>(data), size});
  return 0;
}
