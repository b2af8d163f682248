#include "src/base/finite.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <utility>
#include <vector>

namespace keylens {
namespace {

TEST(AllFinite, FindsOneAnywhere) {
  using Limits = std::numeric_limits<float>;
  std::vector<float> values(1001, Limits::max());
  values[3] = Limits::denorm_min();
  EXPECT_TRUE(AllFinite(values));
  EXPECT_TRUE(AllFinite({}));
  for (const float bad :
       {Limits::quiet_NaN(), Limits::infinity(), -Limits::infinity()}) {
    for (const std::size_t place : {0u, 500u, 1000u}) {
      const float before = std::exchange(values[place], bad);
      EXPECT_FALSE(AllFinite(values)) << bad << " at " << place;
      EXPECT_THROW(CheckResult(values, "network"), Error);
      values[place] = before;
    }
  }
}

}  // namespace
}  // namespace keylens
