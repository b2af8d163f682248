#include "languages/german_english/corpus/parallel_tsv.h"

#include <fmt/format.h>

#include "src/base/error.h"
#include "src/base/utf8.h"

namespace keylens::german_english {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

Pair ParseRow(std::string_view line, const std::string& file_name,
              int64_t number) {
  const size_t tab = line.find('\t');
  if (tab == std::string_view::npos) {
    throw Error(fmt::format("{}:{}: no tab; a row is English, a tab, German",
                            file_name, number));
  }
  const std::string_view english = line.substr(0, tab);
  line.remove_prefix(tab + 1);
  return {std::string(english), std::string(line.substr(0, line.find('\t')))};
}

}  // namespace

std::vector<Pair> ParseParallelTsv(std::string_view text,
                                   const std::string& file_name,
                                   Counts& counts) {
  if (text.starts_with(kByteOrderMark)) {
    text.remove_prefix(kByteOrderMark.size());
  }
  std::vector<Pair> rows;
  int64_t number = 0;
  while (!text.empty()) {
    const size_t end = text.find('\n');
    std::string_view line = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    ++number;
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (line.empty()) continue;
    counts.Add("read");
    if (!IsUtf8(line)) {
      counts.Add("not UTF-8");
      continue;
    }
    rows.push_back(ParseRow(line, file_name, number));
  }
  return rows;
}

}  // namespace keylens::german_english
