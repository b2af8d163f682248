#ifndef KEYLENS_SRC_BASE_LINES_H_
#define KEYLENS_SRC_BASE_LINES_H_

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace keylens {

// The text without a byte order mark (U+FEFF, as editors on Windows write it)
// at its beginning.
std::string_view WithoutByteOrderMark(std::string_view text);

// The lines of a text, without their ends ("\n" or "\r\n") and without a byte
// order mark; UTF-16 is decoded (text_encoding.h). What follows the last "\n"
// is a line if it is not empty.
std::vector<std::string> LinesOf(std::string_view text);

// Those of a file. Throws as ReadFile does.
std::vector<std::string> ReadLines(const std::filesystem::path& path,
                                   int64_t max_bytes = int64_t{1} << 31);

}  // namespace keylens

#endif  // KEYLENS_SRC_BASE_LINES_H_
