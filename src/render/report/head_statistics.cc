#include "src/render/report/head_statistics.h"

#include <algorithm>
#include <cmath>

namespace keylens::render {
namespace {

constexpr float kMostOfIt = 0.5f;
constexpr float kMostOfItTogether = 0.6f;
constexpr float kSurely = 0.9f;
constexpr float kFocusedEntropy = 0.4f;
constexpr float kBroadEntropy = 0.8f;

// The share of a key under even weights.
float EvenShare(const HeadStatistics& head) {
  return std::exp(-head.even_entropy);
}

}  // namespace

HeadKind KindOf(const HeadStatistics& head, bool self_attention) {
  const float one = std::max(kMostOfIt, std::min(kSurely, 2 * EvenShare(head)));
  if (head.first_key >= one) return HeadKind::kFirstKey;
  if (head.top_key >= one) return HeadKind::kOneKey;
  if (self_attention) {
    if (head.self >= one) return HeadKind::kSelf;
    if (head.previous >= one) return HeadKind::kPrevious;
    if (head.next >= one) return HeadKind::kNext;
    const float three = std::max(kMostOfItTogether, 6 * EvenShare(head));
    if (head.self + head.previous + head.next >= three)
      return HeadKind::kNeighbours;
  }
  if (head.entropy <= kFocusedEntropy * head.even_entropy)
    return HeadKind::kFocused;
  if (head.even_entropy > 0 &&
      head.entropy >= kBroadEntropy * head.even_entropy)
    return HeadKind::kBroad;
  return HeadKind::kMixed;
}

std::string_view NameOf(HeadKind kind) {
  switch (kind) {
    case HeadKind::kFirstKey:
      return "first key";
    case HeadKind::kOneKey:
      return "one key";
    case HeadKind::kSelf:
      return "self";
    case HeadKind::kPrevious:
      return "previous";
    case HeadKind::kNext:
      return "next";
    case HeadKind::kNeighbours:
      return "neighbours";
    case HeadKind::kFocused:
      return "focused";
    case HeadKind::kBroad:
      return "broad";
    case HeadKind::kMixed:
      return "mixed";
  }
  return "";
}

}  // namespace keylens::render
