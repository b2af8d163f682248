#include <keylens/mask.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>

namespace keylens {
namespace {

class Causal final : public Mask {
 public:
  explicit Causal(CausalAlignment alignment) : alignment_(alignment) {}

  TileClass Classify(const TileCoord& coord) const override {
    const int64_t last_query = coord.first_query + coord.num_queries - 1;
    if (LiveKeys(coord, last_query) == 0) return TileClass::kEmpty;
    return LiveKeys(coord, coord.first_query) == coord.num_keys
               ? TileClass::kFull
               : TileClass::kPartial;
  }

  void Apply(ScoreTile scores) const override {
    const TileCoord& coord = scores.coord;
    for (int64_t i = 0; i < coord.num_queries; ++i) {
      float* row = scores.Row(i);
      std::fill(row + LiveKeys(coord, coord.first_query + i),
                row + coord.num_keys, -std::numeric_limits<float>::infinity());
    }
  }

 private:
  // How many of the tile's keys, from its first, a query sees.
  int64_t LiveKeys(const TileCoord& coord, int64_t query) const {
    const int64_t beside = alignment_ == CausalAlignment::kTopLeft
                               ? query
                               : query + coord.kv_len - coord.query_len;
    return std::clamp<int64_t>(beside + 1 - coord.first_key, 0, coord.num_keys);
  }

  CausalAlignment alignment_;
};

}  // namespace

std::unique_ptr<Mask> CausalMask(CausalAlignment alignment) {
  return std::make_unique<Causal>(alignment);
}

}  // namespace keylens
