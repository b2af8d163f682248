#include <keylens/mask.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace keylens {
namespace {

class KeyPadding final : public Mask {
 public:
  explicit KeyPadding(std::vector<int64_t> live_keys)
      : live_keys_(std::move(live_keys)) {}

  TileClass Classify(const TileCoord& coord) const override {
    const int64_t live = LiveKeys(coord);
    if (live == 0) return TileClass::kEmpty;
    return live == coord.num_keys ? TileClass::kFull : TileClass::kPartial;
  }

  void Apply(ScoreTile scores) const override {
    const int64_t live = LiveKeys(scores.coord);
    for (int64_t i = 0; i < scores.coord.num_queries; ++i) {
      float* row = scores.Row(i);
      std::fill(row + live, row + scores.coord.num_keys,
                -std::numeric_limits<float>::infinity());
    }
  }

  std::string Misfit(const ScoreShape& shape) const override {
    const auto entries = static_cast<int64_t>(live_keys_.size());
    if (entries == shape.batch) return "";
    return "live_keys has " + std::to_string(entries) +
           " entries for a batch of " + std::to_string(shape.batch);
  }

 private:
  // How many of the tile's keys, from its first, are live.
  int64_t LiveKeys(const TileCoord& coord) const {
    return std::clamp<int64_t>(live_keys_[coord.batch] - coord.first_key, 0,
                               coord.num_keys);
  }

  std::vector<int64_t> live_keys_;
};

}  // namespace

std::unique_ptr<Mask> KeyPaddingMask(std::vector<int64_t> live_keys) {
  for (std::size_t b = 0; b < live_keys.size(); ++b) {
    if (live_keys[b] < 0) {
      throw std::invalid_argument("KeyPaddingMask: live_keys[" +
                                  std::to_string(b) + "] is " +
                                  std::to_string(live_keys[b]));
    }
  }
  return std::make_unique<KeyPadding>(std::move(live_keys));
}

}  // namespace keylens
