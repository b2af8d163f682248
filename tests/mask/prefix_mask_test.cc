#include <gtest/gtest.h>
#include <keylens/mask.h>

#include <cstdint>
#include <limits>
#include <stdexcept>
#include <utility>

#include "tests/mask/mask_testing.h"

namespace keylens {
namespace {

constexpr int64_t kLargest = std::numeric_limits<int64_t>::max();

TEST(PrefixMask, ThePrefixIsLiveForAllAndTheRestCausal) {
  for (const auto& [queries, keys] : {std::pair{13, 13}, {9, 21}, {21, 9}}) {
    for (const int64_t prefix :
         {int64_t{0}, int64_t{1}, int64_t{6}, int64_t{40}, kLargest}) {
      SCOPED_TRACE(::testing::Message() << "prefix " << prefix);
      ExpectMaskIs(*PrefixMask(prefix), {2, 3, queries, keys},
                   [p = prefix](int64_t, int64_t, int64_t i, int64_t j) {
                     return j < p || j <= i;
                   });
    }
  }
}

TEST(PrefixMask, RefusesANegativePrefix) {
  try {
    PrefixMask(-1);
    FAIL() << "no error";
  } catch (const std::invalid_argument& error) {
    EXPECT_STREQ(error.what(), "PrefixMask: prefix is -1");
  }
}

}  // namespace
}  // namespace keylens
