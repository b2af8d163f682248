#ifndef KEYLENS_TESTS_FUZZ_PICTURE_FUZZ_H_
#define KEYLENS_TESTS_FUZZ_PICTURE_FUZZ_H_

#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "src/base/error.h"
#include "src/image/image.h"

namespace keylens {

// Decodes the bytes: an Error of one line that starts with the name, or a
// picture whose parts agree. Anything else ends the process, which is a
// finding.
inline void DecodeOrRefuse(std::string_view bytes) {
  try {
    const Image image = DecodeImage(bytes, "fuzz");
    const bool known =
        image.channels == 1 || image.channels == 3 || image.channels == 4;
    const bool sized = image.width > 0 && image.height > 0 &&
                       int64_t{1} * image.width * image.height <= kMaxPixels;
    if (!known || !sized) std::abort();
    if (image.pixels.size() !=
        std::size_t{1} * image.width * image.height * image.channels)
      std::abort();
  } catch (const Error& error) {
    const std::string_view what = error.what();
    if (!what.starts_with("fuzz: ") ||
        what.find('\n') != std::string_view::npos)
      std::abort();
  }
}

}  // namespace keylens

#endif  // KEYLENS_TESTS_FUZZ_PICTURE_FUZZ_H_
