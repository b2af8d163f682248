#include "systems/translator/search/loop_guard.h"

#include <algorithm>
#include <cstddef>

namespace keylens::translator {
namespace {

constexpr std::size_t kLongestRun = 8;
constexpr int kAlwaysAllowed = 2;

}  // namespace

int RepeatsAtEnd(std::span<const int32_t> ids, int32_t next) {
  const std::size_t size = ids.size() + 1;
  const auto at = [&](std::size_t i) { return i + 1 == size ? next : ids[i]; };
  int most = 1;
  for (std::size_t run = 1; run <= std::min(kLongestRun, size / 2); ++run) {
    std::size_t same = 0;  // pieces that equal those one run later
    while (same + run < size &&
           at(size - 1 - same) == at(size - 1 - same - run))
      ++same;
    most = std::max(most, static_cast<int>(same / run) + 1);
  }
  return most;
}

int MostRepeats(std::span<const int32_t> ids) {
  int most = 1;
  for (std::size_t i = 0; i < ids.size(); ++i)
    most = std::max(most, RepeatsAtEnd(ids.first(i), ids[i]));
  return most;
}

LoopGuard::LoopGuard(std::span<const int32_t> source)
    : allowed_(std::max(kAlwaysAllowed, MostRepeats(source))) {}

}  // namespace keylens::translator
