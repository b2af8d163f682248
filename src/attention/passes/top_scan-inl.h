// Finding the heaviest keys of a row in vectors of its scores, without branches
// that depend on them.

#if defined(KEYLENS_SRC_ATTENTION_PASSES_TOP_SCAN_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef KEYLENS_SRC_ATTENTION_PASSES_TOP_SCAN_INL_H_
#undef KEYLENS_SRC_ATTENTION_PASSES_TOP_SCAN_INL_H_
#else
#define KEYLENS_SRC_ATTENTION_PASSES_TOP_SCAN_INL_H_
#endif

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>
#include <span>

#include "src/attention/passes/top_keys.h"
#include "src/attention/tile/softmax-inl.h"

HWY_BEFORE_NAMESPACE();
namespace keylens::internal::HWY_NAMESPACE {

// The larger of a score and a number; the number where the score is NaN.
inline Vec IgnoringNan(Vec score, Vec number) {
#if HWY_TARGET <= HWY_SSSE3
  return hn::Max(score, number);  // gives the second operand for a NaN
#else
  return hn::IfThenElse(hn::Gt(score, number), score, number);
#endif
}

// Brings the part maxima up to date with a stretch of a row.
inline HWY_NOINLINE void RaisePartMaxima(const float* row, int64_t num_keys,
                                         float* part_maxima) {
  const FloatTag d;
  for (int64_t v = 0; v < TopKeys::kParts; v += kLanes) {
    Vec even = hn::Load(d, part_maxima + v);
    Vec odd = even;
    int64_t j = v;
    for (; j + TopKeys::kParts < num_keys; j += 2 * TopKeys::kParts) {
      even = IgnoringNan(hn::Load(d, row + j), even);
      odd = IgnoringNan(hn::Load(d, row + j + TopKeys::kParts), odd);
    }
    if (j < num_keys) even = IgnoringNan(hn::Load(d, row + j), even);
    hn::Store(hn::Max(even, odd), d, part_maxima + v);
  }
}

// A bound from below for the k-th highest score of a row: the k-th highest of
// its part maxima, which is the lowest of those that fewer than k are above.
inline HWY_NOINLINE float TopBound(const float* part_maxima, int64_t k) {
  const FloatTag d;
  if (k > TopKeys::kParts) return kMinusInfinity;
  const Vec infinity = hn::Set(d, -kMinusInfinity);
  Vec lowest = infinity;
  for (int64_t v = 0; v < TopKeys::kParts; v += kLanes) {
    const Vec maxima = hn::Load(d, part_maxima + v);
    Vec above[2] = {hn::Zero(d), hn::Zero(d)};
    for (int64_t part = 0; part < TopKeys::kParts; ++part) {
      const auto is_above = hn::Gt(hn::Set(d, part_maxima[part]), maxima);
      above[part % 2] = hn::Add(above[part % 2],
                                hn::IfThenElseZero(is_above, hn::Set(d, 1.0f)));
    }
    const auto is_top =
        hn::Lt(hn::Add(above[0], above[1]), hn::Set(d, static_cast<float>(k)));
    lowest = hn::Min(lowest, hn::IfThenElse(is_top, maxima, infinity));
  }
  return hn::GetLane(hn::MinOfLanes(d, lowest));
}

// One bit for each of up to 64 scores from `row` on, set where the score is at
// least `least`.
inline HWY_NOINLINE uint64_t BitsOfAtLeast(const float* row, int64_t num_keys,
                                           float least) {
  const FloatTag d;
  uint64_t bits = 0;
  for (int64_t j = 0; j < std::min<int64_t>(num_keys, 64); j += kLanes) {
    uint8_t bytes[8] = {};
    hn::StoreMaskBits(d, hn::Ge(hn::Load(d, row + j), hn::Set(d, least)),
                      bytes);
    uint64_t lanes;
    std::memcpy(&lanes, bytes, sizeof(lanes));
    bits |= lanes << j;
  }
  return bits;
}

// Writes the positions of the set bits, each plus `base`, to `positions` and
// returns their number. Room for 4 more than that is needed: up to 4 are
// written without asking how many there are, which no processor could predict.
inline HWY_NOINLINE int64_t PositionsOfBits(uint64_t bits, int64_t base,
                                            int64_t* positions) {
  const int64_t count = std::popcount(bits);
  for (int64_t i = 0; i < 4; ++i, bits &= bits - 1) {
    positions[i] = base + std::countr_zero(bits);
  }
  for (int64_t i = 4; i < count; ++i, bits &= bits - 1) {
    positions[i] = base + std::countr_zero(bits);
  }
  return count;
}

// Offers a stretch of the scores of row `index`, keys from first_key on.
inline HWY_NOINLINE void OfferRow(const float* row, int64_t num_keys,
                                  int64_t first_key, int64_t index,
                                  TopKeys& top) {
  RaisePartMaxima(row, num_keys, top.PartMaxima(index));
  top.RaiseLeast(index, TopBound(top.PartMaxima(index), top.k()));
  const float least = top.Least(index);
  int64_t positions[kBlockKeys + 4];
  int64_t count = 0;
  for (int64_t j = 0; j < num_keys; j += 64) {
    count += PositionsOfBits(BitsOfAtLeast(row + j, num_keys - j, least), j,
                             positions + count);
  }
  for (int64_t i = 0; i < count; ++i) {
    top.Take(index, row[positions[i]], first_key + positions[i]);
  }
}

// Puts candidates, keys ascending, into the order of the best and returns how
// many of them are among the best k. Without branches that depend on the
// scores: a candidate's place is the number of those before it.
inline HWY_NOINLINE int64_t SortCandidates(std::span<TopKeys::Entry> candidates,
                                           int64_t k) {
  const FloatTag d;
  constexpr int64_t kMost = TopKeys::kParts;
  const auto count = static_cast<int64_t>(candidates.size());
  if (count > kMost) {
    std::sort(
        candidates.begin(), candidates.end(),
        [](const auto& a, const auto& b) { return TopKeys::IsBefore(a, b); });
    return std::min(count, k);
  }
  alignas(64) float scores[kMost] = {};
  alignas(64) float places[kMost];
  TopKeys::Entry unsorted[kMost];
  std::copy(candidates.begin(), candidates.end(), unsorted);
  for (int64_t i = 0; i < count; ++i) scores[i] = unsorted[i].score;
  for (int64_t v = 0; v < kMost; v += kLanes) {
    const Vec own = hn::Load(d, scores + v);
    const Vec index = hn::Iota(d, static_cast<float>(v));
    Vec place = hn::Zero(d);
    for (int64_t i = 0; i < count; ++i) {
      const Vec other = hn::Set(d, scores[i]);
      const auto is_lower_key =
          hn::Lt(hn::Set(d, static_cast<float>(i)), index);
      const auto is_before =
          hn::Or(hn::Gt(other, own), hn::And(hn::Eq(other, own), is_lower_key));
      place = hn::Add(place, hn::IfThenElseZero(is_before, hn::Set(d, 1.0f)));
    }
    hn::Store(place, d, places + v);
  }
  for (int64_t i = 0; i < count; ++i) {
    candidates[static_cast<std::size_t>(places[i])] = unsorted[i];
  }
  return std::min(count, k);
}

}  // namespace keylens::internal::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // KEYLENS_SRC_ATTENTION_PASSES_TOP_SCAN_INL_H_
