#include "systems/translator/search/top_tokens.h"

#include <algorithm>
#include <cstddef>
#include <limits>

namespace keylens::translator {

std::vector<TokenLogit> TopTokens(std::span<const float> logits, int count,
                                  std::span<const int32_t> never) {
  const auto wanted = static_cast<std::size_t>(count);
  std::vector<TokenLogit> top;
  top.reserve(wanted + 1);
  float bar = -std::numeric_limits<float>::infinity();
  for (std::size_t i = 0; i < logits.size(); ++i) {
    // A new one must be above the last of a full list; NaN is above nothing.
    if (!(logits[i] > bar)) continue;
    const auto id = static_cast<int32_t>(i);
    if (std::find(never.begin(), never.end(), id) != never.end()) continue;
    const auto place = std::find_if(
        top.begin(), top.end(),
        [&](const TokenLogit& other) { return other.logit < logits[i]; });
    top.insert(place, {id, logits[i]});
    if (top.size() > wanted) top.pop_back();
    if (top.size() == wanted) bar = top.back().logit;
  }
  return top;
}

}  // namespace keylens::translator
