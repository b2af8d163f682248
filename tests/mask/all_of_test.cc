#include <gtest/gtest.h>
#include <keylens/mask.h>
#include <keylens/tensor_view.h>

#include <cstdint>
#include <stdexcept>

#include "tests/mask/mask_testing.h"

namespace keylens {
namespace {

TEST(AllOf, IsTheConjunction) {
  const auto causal = CausalMask(CausalAlignment::kTopLeft);
  const auto padding = KeyPaddingMask({9, 3});
  const auto mask = AllOf({causal.get(), padding.get()});
  // Where the two leave nothing together, a tile may be called partial.
  ExpectMaskIs(
      *mask, {2, 2, 12, 14},
      [](int64_t b, int64_t, int64_t i, int64_t j) {
        return j <= i && j < (b == 0 ? 9 : 3);
      },
      /*exact=*/false);
}

TEST(AllOf, IsEmptyWhereOneIsAndFullWhereAllAre) {
  const auto causal = CausalMask(CausalAlignment::kTopLeft);
  const auto padding = KeyPaddingMask({6});
  const auto mask = AllOf({causal.get(), padding.get()});
  EXPECT_EQ(mask->Classify({0, 0, 8, 4, 0, 6, 12, 12}), TileClass::kFull);
  EXPECT_EQ(mask->Classify({0, 0, 8, 4, 6, 2, 12, 12}), TileClass::kEmpty);
  EXPECT_EQ(mask->Classify({0, 0, 0, 2, 2, 4, 12, 12}), TileClass::kEmpty);
  EXPECT_EQ(mask->Classify({0, 0, 8, 4, 4, 4, 12, 12}), TileClass::kPartial);
}

TEST(AllOf, OfNothingIsEverything) {
  ExpectMaskIs(*AllOf({}), {1, 2, 5, 6},
               [](int64_t, int64_t, int64_t, int64_t) { return true; });
}

TEST(AllOf, PassesOnWhyAMaskDoesNotFit) {
  const auto causal = CausalMask(CausalAlignment::kTopLeft);
  const auto padding = KeyPaddingMask({6});
  const auto mask = AllOf({causal.get(), padding.get()});
  EXPECT_EQ(mask->Misfit({1, 1, 1, 1}), "");
  EXPECT_EQ(mask->Misfit({2, 1, 1, 1}),
            "live_keys has 1 entries for a batch of 2");
}

TEST(AllOf, RefusesNull) {
  EXPECT_THROW(AllOf({nullptr}), std::invalid_argument);
}

}  // namespace
}  // namespace keylens
