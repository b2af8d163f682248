#include "src/render/attention_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <stdexcept>

#include "tests/render/attention_report_sample.h"

namespace keylens::render {
namespace {

using testing::ElementsAre;
using testing::FloatNear;
using testing::HasSubstr;

TEST(AttentionReportTest, MeansAreOverTheHeadsAndLayersNotNamed) {
  AttentionPanel panel;
  panel.queries = {"q"};
  panel.keys = {"a", "b"};
  panel.layers = 2;
  panel.heads = 2;
  panel.weights = {0.0f, 1.0f, 0.5f, 0.5f, 0.25f, 0.75f, 1.0f, 0.0f};
  EXPECT_THAT(MapOf(panel, {1, 0}), ElementsAre(0.25f, 0.75f));
  EXPECT_THAT(MapOf(panel, {0, {}}), ElementsAre(0.25f, 0.75f));
  EXPECT_THAT(MapOf(panel, {{}, 1}), ElementsAre(0.75f, 0.25f));
  EXPECT_THAT(MapOf(panel, {}), ElementsAre(0.4375f, 0.5625f));
  EXPECT_THROW(MapOf(panel, {2, 0}), std::invalid_argument);
  EXPECT_THROW(MapOf(panel, {0, -1}), std::invalid_argument);
}

TEST(AttentionReportTest, MapsHaveNames) {
  AttentionPanel panel = SamplePanel();
  EXPECT_EQ(DescribeMap(panel, {}), "mean of 2 layers of 3 heads");
  EXPECT_EQ(DescribeMap(panel, {1, {}}), "layer 2, mean of 3 heads");
  EXPECT_EQ(DescribeMap(panel, {{}, 0}), "head 1, mean of 2 layers");
  EXPECT_EQ(DescribeMap(panel, {1, 2}), "layer 2, head 3");
  panel.layers = 1;
  EXPECT_EQ(DescribeMap(panel, {}), "layer 1, mean of 3 heads");
  panel.heads = 1;
  EXPECT_EQ(DescribeMap(panel, {}), "layer 1, head 1");
}

TEST(AttentionReportTest, ALayerShowsItsMeanWhereThatIsNotThePanels) {
  AttentionPanel panel = SamplePanel();
  EXPECT_THAT(MapsOfLayer(panel, 1),
              ElementsAre(MapChoice{1, {}}, MapChoice{1, 0}, MapChoice{1, 1},
                          MapChoice{1, 2}));
  panel.layers = 1;
  EXPECT_EQ(MapsOfLayer(panel, 0).size(), 3);
  panel.heads = 1;
  EXPECT_THAT(MapsOfLayer(panel, 0), ElementsAre(MapChoice{0, 0}));
}

TEST(AttentionReportTest, EntropyIsThatOfTheRows) {
  AttentionPanel panel = EvenPanel(Words(3), Words(5));
  panel.heads = 2;
  for (int row = 0; row < 3; ++row) {
    for (int key = 0; key < 5; ++key)
      panel.weights.push_back(key == row ? 1.0f : 0.0f);
  }
  EXPECT_THAT(MeanEntropy(panel),
              ElementsAre(FloatNear(std::log(5.0f), 1e-6f), 0.0f));
}

TEST(AttentionReportTest, TheScaleEndsAtTheLargestWeightOrWhereItIsToldTo) {
  AttentionReport report = SampleReport();
  EXPECT_FLOAT_EQ(ScaleTop(report), 0.9f);
  EXPECT_FALSE(ExceedsScale(report));
  report.scale_top = 0.5f;
  EXPECT_FLOAT_EQ(ScaleTop(report), 0.5f);
  EXPECT_TRUE(ExceedsScale(report));
  report.scale_top = 0;
  report.panels[0].weights.assign(48, 0.0f);
  EXPECT_FLOAT_EQ(ScaleTop(report), 1);
}

// The message for a sample that `spoil` changed.
template <typename Spoil>
std::string Refusal(Spoil spoil) {
  AttentionReport report = SampleReport();
  spoil(report);
  try {
    CheckReport(report, "Draw");
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "accepted";
}

TEST(AttentionReportTest, RefusesWhatDoesNotFitTogether) {
  EXPECT_EQ(Refusal([](AttentionReport&) {}), "accepted");
  EXPECT_EQ(Refusal([](AttentionReport& r) { r.panels[0].keys.pop_back(); }),
            "Draw: panel \"cross-attention\" [layers 2, heads 3, queries 2, "
            "keys 3]: 48 weights and 6 entropies");
  EXPECT_THAT(Refusal([](AttentionReport& r) { r.panels[0].heads = 0; }),
              HasSubstr("heads 0"));
  EXPECT_THAT(Refusal([](AttentionReport& r) { r.panels[0].queries = {}; }),
              HasSubstr("queries 0"));
  EXPECT_THAT(
      Refusal([](AttentionReport& r) { r.panels[0].entropy.pop_back(); }),
      HasSubstr("5 entropies"));
  EXPECT_EQ(Refusal([](AttentionReport& r) { r.panels.clear(); }),
            "Draw: a report without panels");
  for (const float bad : {-0.5f, std::numeric_limits<float>::quiet_NaN(),
                          std::numeric_limits<float>::infinity()}) {
    EXPECT_THAT(
        Refusal([&](AttentionReport& r) { r.panels[0].weights[3] = bad; }),
        HasSubstr("must be finite"));
    EXPECT_THAT(Refusal([&](AttentionReport& r) { r.scale_top = bad; }),
                HasSubstr("a scale up to"));
  }
}

}  // namespace
}  // namespace keylens::render
