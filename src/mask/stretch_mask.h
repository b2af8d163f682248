#ifndef KEYLENS_SRC_MASK_STRETCH_MASK_H_
#define KEYLENS_SRC_MASK_STRETCH_MASK_H_

#include <keylens/mask.h>

#include <algorithm>
#include <cstdint>
#include <limits>

// What the masks share under which each query sees one stretch of keys that
// moves on with the query.

namespace keylens {

// The keys [begin, end), none where end <= begin. Either end may lie outside
// [0, kv_len).
struct KeyStretch {
  int64_t begin = 0;
  int64_t end = 0;
};

// Rule has
//
//   KeyStretch StretchOf(const TileCoord&, int64_t query) const
//       the keys the query sees
//
// From one query to the next neither end moves back, and no key is left out
// between the stretches of the two; so the first and the last query of a tile
// tell what all of them see.
template <typename Rule>
class StretchMask final : public Mask {
 public:
  explicit StretchMask(const Rule& rule) : rule_(rule) {}

  TileClass Classify(const TileCoord& coord) const override {
    const KeyStretch first = rule_.StretchOf(coord, coord.first_query);
    const KeyStretch last =
        rule_.StretchOf(coord, coord.first_query + coord.num_queries - 1);
    const int64_t end_key = coord.first_key + coord.num_keys;
    if (first.begin >= end_key || last.end <= coord.first_key) {
      return TileClass::kEmpty;
    }
    return last.begin <= coord.first_key && first.end >= end_key
               ? TileClass::kFull
               : TileClass::kPartial;
  }

  void Apply(ScoreTile scores) const override {
    for (int64_t i = 0; i < scores.coord.num_queries; ++i) {
      MaskOutside(rule_.StretchOf(scores.coord, scores.coord.first_query + i),
                  scores.coord, scores.Row(i));
    }
  }

 private:
  static void MaskOutside(const KeyStretch& stretch, const TileCoord& coord,
                          float* row) {
    constexpr float kMasked = -std::numeric_limits<float>::infinity();
    const auto place = [&coord](int64_t key) {
      return std::clamp(key, coord.first_key,
                        coord.first_key + coord.num_keys) -
             coord.first_key;
    };
    std::fill(row, row + place(stretch.begin), kMasked);
    std::fill(row + place(stretch.end), row + coord.num_keys, kMasked);
  }

  Rule rule_;
};

}  // namespace keylens

#endif  // KEYLENS_SRC_MASK_STRETCH_MASK_H_
