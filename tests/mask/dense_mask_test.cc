#include <gtest/gtest.h>
#include <keylens/mask.h>
#include <keylens/tensor_view.h>

#include <array>
#include <cstdint>
#include <random>
#include <stdexcept>

#include "tests/attention/buffer.h"
#include "tests/mask/mask_testing.h"

namespace keylens {
namespace {

constexpr ScoreShape kShape = {2, 3, 11, 19};

// Expects a mask of that shape and layout to broadcast to kShape. The flags
// come in runs, so that tiles of all three classes occur.
void ExpectBroadcast(const std::array<int64_t, 4>& shape,
                     const Layout<4>& layout) {
  Buffer<bool, 4> live(shape, layout);
  std::mt19937_64 random(7);
  bool flag = true;
  live.Fill([&] {
    if (random() % 9 == 0) flag = !flag;
    return flag;
  });
  const auto mask = DenseMask(live.view());
  ExpectMaskIs(*mask, kShape, [&](int64_t b, int64_t h, int64_t i, int64_t j) {
    return live({b % shape[0], h % shape[1], i % shape[2], j % shape[3]});
  });
}

TEST(DenseMask, AnyLayout) {
  ExpectBroadcast({2, 3, 11, 19}, {});
  std::mt19937_64 random(11);
  for (int round = 0; round < 20; ++round) {
    ExpectBroadcast({2, 3, 11, 19}, RandomLayout<4>(random));
  }
}

TEST(DenseMask, AnAxisOfLengthOneIsBroadcast) {
  std::mt19937_64 random(12);
  for (const int64_t b : {1, 2}) {
    for (const int64_t h : {1, 3}) {
      ExpectBroadcast({b, h, 11, 1}, RandomLayout<4>(random));
      ExpectBroadcast({b, h, 1, 19}, RandomLayout<4>(random));
      ExpectBroadcast({b, h, 1, 1}, RandomLayout<4>(random));
    }
  }
}

TEST(DenseMask, AStrideOfZeroIsBroadcast) {
  bool keys[19] = {};
  for (int j = 0; j < 19; j += 2) keys[j] = true;
  const TensorView<const bool, 4> live = {keys, {2, 3, 11, 19}, {0, 0, 0, 1}};
  ExpectMaskIs(*DenseMask(live), kShape,
               [](int64_t, int64_t, int64_t, int64_t j) { return j % 2 == 0; });
}

// The flags that a stride of 0 repeats are read once: this would take hours.
TEST(DenseMask, ABroadcastTileCostsNothing) {
  const bool dead = false;
  const int64_t far = int64_t{1} << 40;
  const auto mask = DenseMask({&dead, {1, 1, 1, 1}, {0, 0, 0, 0}});
  EXPECT_EQ(mask->Classify({0, 0, 0, far, 0, far, far, far}),
            TileClass::kEmpty);
}

TEST(DenseMask, NamesTheShapesThatDisagree) {
  const bool flags[8] = {};
  const auto mask = DenseMask(Contiguous<const bool>(flags, {1, 1, 2, 4}));
  EXPECT_EQ(mask->Misfit({5, 6, 2, 4}), "");
  EXPECT_EQ(mask->Misfit({5, 6, 2, 3}),
            "live [1, 1, 2, 4] does not broadcast to the scores [5, 6, 2, 3]");
}

TEST(DenseMask, RefusesElementsWithoutData) {
  EXPECT_THROW(DenseMask(Contiguous<const bool>(nullptr, {1, 1, 2, 2})),
               std::invalid_argument);
  EXPECT_NO_THROW(DenseMask(Contiguous<const bool>(nullptr, {1, 1, 2, 0})));
}

}  // namespace
}  // namespace keylens
