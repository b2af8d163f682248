#include "src/base/lines.h"

#include <algorithm>
#include <cstddef>

#include "src/base/file.h"
#include "src/base/text_encoding.h"

namespace keylens {

std::string_view WithoutByteOrderMark(std::string_view text) {
  constexpr std::string_view kMark = "\xEF\xBB\xBF";
  if (text.starts_with(kMark)) text.remove_prefix(kMark.size());
  return text;
}

std::vector<std::string> LinesOf(std::string_view text) {
  if (IsUtf16(text)) return LinesOf(DecodedText(std::string(text)));
  std::vector<std::string> lines;
  std::string_view rest = WithoutByteOrderMark(text);
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    std::string_view line = rest.substr(0, end);
    if (line.ends_with('\r')) line.remove_suffix(1);
    lines.emplace_back(line);
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return lines;
}

std::vector<std::string> ReadLines(const std::filesystem::path& path,
                                   int64_t max_bytes) {
  return LinesOf(ReadFile(path, max_bytes));
}

}  // namespace keylens
