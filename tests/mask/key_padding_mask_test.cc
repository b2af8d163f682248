#include <gtest/gtest.h>
#include <keylens/mask.h>

#include <cstdint>
#include <stdexcept>
#include <vector>

#include "tests/mask/mask_testing.h"

namespace keylens {
namespace {

TEST(KeyPaddingMask, TheFirstKeysOfEachEntryAreLive) {
  const std::vector<int64_t> live = {5, 0, 12, 40};
  const auto mask = KeyPaddingMask(live);
  ExpectMaskIs(
      *mask, {4, 2, 7, 12},
      [&](int64_t b, int64_t, int64_t, int64_t j) { return j < live[b]; });
}

TEST(KeyPaddingMask, WantsOneEntryPerBatchEntry) {
  const auto mask = KeyPaddingMask({1, 2, 3});
  EXPECT_EQ(mask->Misfit({3, 1, 1, 1}), "");
  EXPECT_EQ(mask->Misfit({4, 1, 1, 1}),
            "live_keys has 3 entries for a batch of 4");
}

TEST(KeyPaddingMask, RefusesANegativeLength) {
  try {
    KeyPaddingMask({1, 2, -3});
    FAIL() << "no error";
  } catch (const std::invalid_argument& error) {
    EXPECT_STREQ(error.what(), "KeyPaddingMask: live_keys[2] is -3");
  }
}

}  // namespace
}  // namespace keylens
