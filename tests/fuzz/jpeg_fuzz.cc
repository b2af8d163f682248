// Any bytes as a JPEG file, and as the EXIF data of one.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "src/image/codecs.h"
#include "tests/fuzz/picture_fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  keylens::DecodeOrRefuse(bytes);
  if (!bytes.starts_with("\xFF\xD8\xFF"))
    keylens::DecodeOrRefuse("\xFF\xD8\xFF" + std::string(bytes));
  const int orientation = keylens::ExifOrientation(bytes);
  if (orientation < 1 || orientation > 8) std::abort();
  return 0;
}
