#include "systems/translator/rules/protected.h"

#include <algorithm>

namespace keylens::translator {

std::vector<Protected> MergedWords(const std::vector<Protected>& first,
                                   const std::vector<Protected>& second) {
  std::vector<Protected> merged = first;
  for (const Protected& word : second) {
    const bool overlaps =
        std::any_of(first.begin(), first.end(), [&](const Protected& other) {
          return word.range.begin < other.range.end &&
                 other.range.begin < word.range.end;
        });
    if (!overlaps) merged.push_back(word);
  }
  std::sort(merged.begin(), merged.end(),
            [](const Protected& a, const Protected& b) {
              return a.range.begin < b.range.begin;
            });
  return merged;
}

}  // namespace keylens::translator
