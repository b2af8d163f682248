#ifndef KEYLENS_SRC_SCORE_MOD_HEAD_SUMS_H_
#define KEYLENS_SRC_SCORE_MOD_HEAD_SUMS_H_

#include <keylens/score_mod.h>

#include <cstdint>
#include <vector>

namespace keylens {

// `width` sums for each head over all of its scores, for the gradient of a mod
// that learns. Tiles add to sums of their batch entry and stretch of keys,
// which BackwardOrder::kAny hands in one after the other; put together in order
// at the end, those have the same bits for any number of threads.
class HeadSums {
 public:
  explicit HeadSums(int64_t width) : width_(width) {}

  void Begin(const ScoreShape& shape) {
    batch_ = shape.batch;
    heads_ = shape.num_heads;
    stretches_ = (shape.kv_len + kKeysInOrder - 1) / kKeysInOrder;
    sums_.assign(
        static_cast<std::size_t>(batch_ * heads_ * stretches_ * width_), 0.0);
  }

  // The sums that a tile adds to.
  double* Of(const TileCoord& tile) {
    return sums_.data() +
           IndexOf(tile.batch, tile.head, tile.first_key / kKeysInOrder);
  }

  double Total(int64_t head, int64_t which) const {
    double total = 0.0;
    for (int64_t b = 0; b < batch_; ++b) {
      for (int64_t s = 0; s < stretches_; ++s) {
        total += sums_[static_cast<std::size_t>(IndexOf(b, head, s) + which)];
      }
    }
    return total;
  }

 private:
  int64_t IndexOf(int64_t batch, int64_t head, int64_t stretch) const {
    return ((batch * heads_ + head) * stretches_ + stretch) * width_;
  }

  int64_t width_;
  int64_t batch_ = 0;
  int64_t heads_ = 0;
  int64_t stretches_ = 0;
  std::vector<double> sums_;
};

}  // namespace keylens

#endif  // KEYLENS_SRC_SCORE_MOD_HEAD_SUMS_H_
