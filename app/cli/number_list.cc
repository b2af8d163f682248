#include "app/cli/number_list.h"

#include <algorithm>
#include <charconv>
#include <string_view>

#include "src/base/error.h"

namespace keylens::cli {
namespace {

class ListReader {
 public:
  ListReader(const std::string& option, int64_t count)
      : option_(option), count_(count) {}

  // "5" or "10-20".
  void Add(std::string_view part) {
    const std::size_t dash = part.find('-');
    const int64_t first = Number(part.substr(0, dash));
    const int64_t last =
        dash == std::string_view::npos ? first : Number(part.substr(dash + 1));
    if (last < first) {
      throw UsageError(option_ + ": '" + std::string(part) +
                       "' runs backwards; write " + std::to_string(last) + "-" +
                       std::to_string(first));
    }
    for (int64_t number = first; number <= last; ++number)
      numbers_.push_back(number);
  }

  const std::vector<int64_t>& numbers() const { return numbers_; }

 private:
  int64_t Number(std::string_view text) const {
    int64_t number = -1;
    const char* end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, number);
    if (error != std::errc() || stop != end || number < 0) {
      throw UsageError(option_ + ": '" + std::string(text) +
                       "' is no number; write 0,5,10-20 or all");
    }
    if (number >= count_) {
      throw UsageError(option_ + ": " + std::to_string(number) + " of " +
                       std::to_string(count_) + ", counted from 0");
    }
    return number;
  }

  const std::string& option_;
  int64_t count_;
  std::vector<int64_t> numbers_;
};

}  // namespace

std::vector<int64_t> NumbersOfList(const std::string& option,
                                   const std::string& list, int64_t count) {
  ListReader reader(option, count);
  if (list.empty()) return {};
  std::string_view rest = list;
  const std::string all = "0-" + std::to_string(count - 1);
  if (list == "all") rest = all;
  while (true) {
    const std::size_t comma = rest.find(',');
    reader.Add(rest.substr(0, comma));
    if (comma == std::string_view::npos) break;
    rest.remove_prefix(comma + 1);
  }
  return reader.numbers();
}

}  // namespace keylens::cli
