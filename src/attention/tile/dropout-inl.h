// Dropout of the weights of a tile.

#if defined(KEYLENS_SRC_ATTENTION_TILE_DROPOUT_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef KEYLENS_SRC_ATTENTION_TILE_DROPOUT_INL_H_
#undef KEYLENS_SRC_ATTENTION_TILE_DROPOUT_INL_H_
#else
#define KEYLENS_SRC_ATTENTION_TILE_DROPOUT_INL_H_
#endif

#include "src/attention/plan/problem.h"
#include "src/attention/tile/dropout.h"
#include "src/attention/tile/lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace keylens::internal::HWY_NAMESPACE {

// Which weights of one row of a tile go: not DropoutKeeps, a vector at a time.
class RowDropout {
 public:
  RowDropout(const Problem& problem, const TileCoord& coord, int64_t row)
      : first_key_(static_cast<uint32_t>(coord.first_key)),
        threshold_(DropoutThreshold(problem.dropout.probability)),
        bits_(problem.dropout.seed, coord.batch, coord.head,
              coord.first_query + row, coord.first_key) {}

  // For the tile's keys from `j` on. All keys of a tile are taken to have the
  // same upper 32 bits.
  hn::Mask<FloatTag> Dropped(int64_t j) const {
    const hn::RebindToUnsigned<FloatTag> u;
    const hn::RebindToSigned<FloatTag> i;
    const auto key = hn::Iota(u, first_key_ + static_cast<uint32_t>(j));
    auto x = hn::Xor(hn::Mul(key, hn::Set(u, DropoutRow::kStep)),
                     hn::Set(u, bits_.first));
    x = hn::Mul(hn::Xor(x, hn::ShiftRight<16>(x)),
                hn::Set(u, DropoutRow::kFirstFactor));
    x = hn::Add(hn::Xor(x, hn::ShiftRight<15>(x)), hn::Set(u, bits_.second));
    x = hn::Mul(x, hn::Set(u, DropoutRow::kSecondFactor));
    x = hn::Xor(x, hn::ShiftRight<16>(x));
    const auto drawn = hn::BitCast(i, hn::ShiftRight<1>(x));
    return hn::RebindMask(FloatTag(), hn::Lt(drawn, hn::Set(i, threshold_)));
  }

 private:
  uint32_t first_key_;
  int32_t threshold_;
  DropoutRow bits_;
};

// Sets the weights that do not stay to 0.
inline void DropWeights(const Problem& problem, const ScoreTile& weights) {
  const FloatTag d;
  for (int64_t i = 0; i < weights.coord.num_queries; ++i) {
    const RowDropout dropout(problem, weights.coord, i);
    float* row = weights.Row(i);
    for (int64_t j = 0; j < weights.coord.num_keys; j += kLanes) {
      // A NaN that is dropped becomes 0 too.
      hn::Store(hn::IfThenZeroElse(dropout.Dropped(j), hn::Load(d, row + j)), d,
                row + j);
    }
  }
}

}  // namespace keylens::internal::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // KEYLENS_SRC_ATTENTION_TILE_DROPOUT_INL_H_
