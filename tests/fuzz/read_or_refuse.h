#ifndef KEYLENS_TESTS_FUZZ_READ_OR_REFUSE_H_
#define KEYLENS_TESTS_FUZZ_READ_OR_REFUSE_H_

#include <cstdlib>
#include <string_view>

#include "src/base/error.h"

// Calls `read`, which parses bytes under the name "fuzz", and aborts unless
// what it refuses is refused in one line that begins with the name and does not
// repeat the bytes at length.
template <typename Read>
void ReadOrRefuse(const Read& read) {
  try {
    read();
  } catch (const keylens::Error& error) {
    const std::string_view what = error.what();
    if (!what.starts_with("fuzz: ") ||
        what.find('\n') != std::string_view::npos || what.size() > 2000)
      std::abort();
  }
}

#endif  // KEYLENS_TESTS_FUZZ_READ_OR_REFUSE_H_
