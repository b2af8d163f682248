// keylens/mask.h: the masks that are there, several at once, and one's own.

#include <keylens/attention.h>
#include <keylens/mask.h>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <utility>
#include <vector>

namespace {

// A query sees itself and every second key before it. Classify lets the engine
// skip whole tiles; Apply says which keys are dead within one.
class DilatedCausalMask : public keylens::Mask {
 public:
  keylens::TileClass Classify(const keylens::TileCoord& coord) const override {
    const int64_t last_query = coord.first_query + coord.num_queries - 1;
    return coord.first_key > last_query ? keylens::TileClass::kEmpty
                                        : keylens::TileClass::kPartial;
  }

  void Apply(keylens::ScoreTile scores) const override {
    for (int64_t i = 0; i < scores.coord.num_queries; ++i) {
      for (int64_t j = 0; j < scores.coord.num_keys; ++j) {
        const int64_t back =
            scores.coord.first_query + i - scores.coord.first_key - j;
        if (back < 0 || back % 2 != 0) {
          scores.Row(i)[j] = -std::numeric_limits<float>::infinity();
        }
      }
    }
  }
};

constexpr int64_t kLen = 9;

// All scores are equal, so the output is the mean of the keys a query sees.
std::vector<float> MeanOfLiveKeys(const keylens::Mask* mask) {
  const std::vector<float> zeros(kLen, 0.0f);
  std::vector<float> index(kLen), out(kLen);
  for (int64_t j = 0; j < kLen; ++j) index[j] = static_cast<float>(j);
  keylens::AttentionOptions options;
  options.mask = mask;
  keylens::AttentionForward<float>(
      {keylens::Contiguous(zeros.data(), {1, 1, kLen, 1}),
       keylens::Contiguous(zeros.data(), {1, 1, kLen, 1}),
       keylens::Contiguous(std::as_const(index).data(), {1, 1, kLen, 1})},
      options, {keylens::Contiguous(out.data(), {1, 1, kLen, 1}), {}});
  return out;
}

bool Near(float actual, float wanted) {
  std::printf("%g, wanted %g\n", actual, wanted);
  return std::abs(actual - wanted) < 1e-5f;
}

}  // namespace

int main() {
  const auto causal = keylens::CausalMask(keylens::CausalAlignment::kTopLeft);
  const auto padding = keylens::KeyPaddingMask({5});  // keys 5 to 8 are dead
  const auto both = keylens::AllOf({causal.get(), padding.get()});
  const DilatedCausalMask dilated;
  bool right = Near(MeanOfLiveKeys(nullptr)[8], 4);
  right = Near(MeanOfLiveKeys(causal.get())[6], 3) && right;  // 0 to 6
  right = Near(MeanOfLiveKeys(both.get())[6], 2) && right;    // 0 to 4
  right = Near(MeanOfLiveKeys(&dilated)[7], 4) && right;      // 7, 5, 3, 1
  return right ? 0 : 1;
}
