#include <keylens/mask.h>
#include <keylens/tensor_view.h>

#include <cstdint>
#include <cstring>
#include <limits>
#include <memory>
#include <string>

#include "src/mask/broadcast.h"

namespace keylens {
namespace {

// Whether any of the `count` flags `stride` apart has that value. memchr reads
// a dense row 32 flags at a time.
bool Contains(const bool* flags, int64_t count, int64_t stride, bool value) {
  if (stride == 1) {
    return std::memchr(flags, value, static_cast<std::size_t>(count)) !=
           nullptr;
  }
  for (int64_t j = 0; j < count; ++j) {
    if (flags[j * stride] == value) return true;
  }
  return false;
}

class Dense final : public Mask {
 public:
  explicit Dense(TensorView<const bool, 4> live)
      : live_(BroadcastAxes("DenseMask", live)) {}

  // Reads the tile's flags, each distinct one once, until it has met a live
  // and a masked key.
  TileClass Classify(const TileCoord& coord) const override {
    const int64_t rows = live_.strides[2] == 0 ? 1 : coord.num_queries;
    const int64_t keys = live_.strides[3] == 0 ? 1 : coord.num_keys;
    const bool* row = TileOrigin(live_, coord);
    const bool first = *row;
    for (int64_t i = 0; i < rows; ++i, row += live_.strides[2]) {
      if (Contains(row, keys, live_.strides[3], !first)) {
        return TileClass::kPartial;
      }
    }
    return first ? TileClass::kFull : TileClass::kEmpty;
  }

  void Apply(ScoreTile scores) const override {
    const bool* live = TileOrigin(live_, scores.coord);
    for (int64_t i = 0; i < scores.coord.num_queries; ++i) {
      ApplyToRow(live + i * live_.strides[2], scores.coord.num_keys,
                 scores.Row(i));
    }
  }

  std::string Misfit(const ScoreShape& shape) const override {
    return BroadcastMisfit("live", live_.shape, shape);
  }

 private:
  void ApplyToRow(const bool* live, int64_t num_keys, float* scores) const {
    constexpr float kMasked = -std::numeric_limits<float>::infinity();
    const int64_t stride = live_.strides[3];
    for (int64_t j = 0; j < num_keys; ++j) {
      scores[j] = live[j * stride] ? scores[j] : kMasked;
    }
  }

  TensorView<const bool, 4> live_;
};

}  // namespace

std::unique_ptr<Mask> DenseMask(TensorView<const bool, 4> live) {
  return std::make_unique<Dense>(live);
}

}  // namespace keylens
