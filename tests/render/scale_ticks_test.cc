#include "src/render/draw/scale_ticks.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace keylens {
namespace {

using ::testing::ElementsAre;

std::vector<std::string> Labels(double top) {
  std::vector<std::string> labels;
  for (const Tick& tick : ChooseTicks(top)) labels.push_back(tick.label);
  return labels;
}

TEST(ChooseTicksTest, WritesRoundNumbers) {
  EXPECT_THAT(Labels(1), ElementsAre("0", "0.2", "0.4", "0.6", "0.8", "1.0"));
  EXPECT_THAT(Labels(0.38), ElementsAre("0", "0.1", "0.2", "0.3"));
  EXPECT_THAT(Labels(0.052), ElementsAre("0", "0.02", "0.04"));
  EXPECT_THAT(Labels(70), ElementsAre("0", "20", "40", "60"));
}

TEST(ChooseTicksTest, AreThreeToSixForAnyTop) {
  for (double top = 1e-6; top < 1e6; top *= 1.07) {
    const std::vector<Tick> ticks = ChooseTicks(top);
    EXPECT_GE(ticks.size(), 3) << top;
    EXPECT_LE(ticks.size(), 6) << top;
    EXPECT_LE(ticks.back().value, top * 1.000001);
    EXPECT_EQ(ticks.front().label, "0");
  }
}

}  // namespace
}  // namespace keylens
