#include "src/render/report/attention_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <stdexcept>

#include "tests/render/attention_report_sample.h"

namespace keylens::render {
namespace {

using testing::ElementsAre;
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

TEST(AttentionReportTest, MeansAreOverTheStepsNotNamed) {
  AttentionPanel panel = EvenPanel({"q"}, {"a", "b"});
  panel.steps = 2;
  panel.heads = 2;
  panel.weights = {0.0f, 1.0f, 0.5f, 0.5f, 0.25f, 0.75f, 1.0f, 0.0f};
  EXPECT_THAT(MapOf(panel, {.head = 1, .step = 0}), ElementsAre(0.5f, 0.5f));
  EXPECT_THAT(MapOf(panel, {.step = 1}), ElementsAre(0.625f, 0.375f));
  EXPECT_THAT(MapOf(panel, {.head = 0}), ElementsAre(0.125f, 0.875f));
  EXPECT_THAT(MapOf(panel, {}), ElementsAre(0.4375f, 0.5625f));
  EXPECT_THROW(MapOf(panel, {.step = 2}), std::invalid_argument);
}

TEST(AttentionReportTest, ANamedMapIsThere) {
  AttentionPanel panel = EvenPanel({"q"}, {"a", "b"});
  panel.named_maps = {{"rollout", {0.25f, 0.75f}}, {"relevance", {3.0f, 2.0f}}};
  EXPECT_THAT(MapOf(panel, {.named = 1}), ElementsAre(3.0f, 2.0f));
  EXPECT_EQ(ScaleTop(panel, panel.named_maps[1]), 3);
  EXPECT_THROW(MapOf(panel, {.named = 2}), std::invalid_argument);
}

TEST(AttentionReportTest, MapsHaveNames) {
  AttentionPanel panel = SamplePanel();
  EXPECT_EQ(DescribeMap(panel, {}), "mean of 2 layers of 3 heads");
  EXPECT_EQ(DescribeMap(panel, {1, {}}), "layer 2, mean of 3 heads");
  EXPECT_EQ(DescribeMap(panel, {{}, 0}), "head 1, mean of 2 layers");
  EXPECT_EQ(DescribeMap(panel, {1, 2}), "layer 2, head 3");
  panel.layers = 1;
  EXPECT_EQ(DescribeMap(panel, {}), "mean of 3 heads");
  EXPECT_EQ(DescribeMap(panel, {0, 1}), "head 2");
  panel.heads = 1;
  EXPECT_EQ(DescribeMap(panel, {}), "weights");
  panel.steps = 8;
  EXPECT_EQ(DescribeMap(panel, {}), "weights");
  EXPECT_EQ(DescribeMap(panel, {0, 0, 7}), "weights, step 8");
  panel.step_names = {"noise", "", "", "", "", "", "", "picture"};
  EXPECT_EQ(DescribeMap(panel, {0, 0, 7}), "weights, picture");
  panel.named_maps = {{"rollout", {}}};
  EXPECT_EQ(DescribeMap(panel, {.named = 0}), "rollout");
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

TEST(AttentionReportTest, AFewHeavyRowsDoNotStretchTheScaleOfLongSequences) {
  AttentionReport report;
  report.panels = {LongPanel()};
  // In the first row all weight is in one cell, in all others 3/4.
  EXPECT_EQ(ScaleTop(report), 0.75f);
  EXPECT_TRUE(ExceedsScale(report));
  const AttentionPanel& panel = report.panels[0];
  EXPECT_EQ(ScaleTop(panel, panel.long_sequences->levels[1]), 0.75f);
}

TEST(AttentionReportTest, WhatIsNoPlaceOfAPictureDoesNotStretchTheScale) {
  AttentionPanel panel = PicturePanel();
  panel.weights[0] = 5;  // the class token's, on itself
  panel.named_maps[0].weights[0] = 5;
  const float largest =
      *std::max_element(panel.weights.begin() + 1, panel.weights.begin() + 7);
  AttentionReport report;
  report.panels = {panel};
  EXPECT_EQ(ScaleTop(report), largest);
  EXPECT_TRUE(ExceedsScale(report));
  EXPECT_EQ(ScaleTop(panel, panel.named_maps[0]), 0.75f);
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
            "keys 3]: 48 weights instead of 36");
  EXPECT_THAT(Refusal([](AttentionReport& r) { r.panels[0].heads = 0; }),
              HasSubstr("heads 0"));
  EXPECT_THAT(Refusal([](AttentionReport& r) { r.panels[0].queries = {}; }),
              HasSubstr("queries 0"));
  EXPECT_THAT(
      Refusal([](AttentionReport& r) { r.panels[0].statistics.pop_back(); }),
      HasSubstr("5 statistics instead of 6"));
  EXPECT_EQ(Refusal([](AttentionReport& r) { r.panels.clear(); }),
            "Draw: a report without panels");
  EXPECT_THAT(Refusal([](AttentionReport& r) { r.panels[0].steps = 2; }),
              HasSubstr("[steps 2, layers 2, heads 3, queries 2, keys 4]: 48 "
                        "weights instead of 96"));
  EXPECT_THAT(Refusal([](AttentionReport& r) {
                r.panels[0].step_names = {"a", "b"};
              }),
              HasSubstr("2 names of steps instead of 1"));
  for (const float bad : {-0.5f, std::numeric_limits<float>::quiet_NaN(),
                          std::numeric_limits<float>::infinity()}) {
    EXPECT_THAT(
        Refusal([&](AttentionReport& r) { r.panels[0].weights[3] = bad; }),
        HasSubstr("must be finite"));
    EXPECT_THAT(Refusal([&](AttentionReport& r) {
                  r.panels[0].statistics[1].self = bad;
                }),
                HasSubstr("a statistic of"));
    EXPECT_THAT(Refusal([&](AttentionReport& r) { r.scale_top = bad; }),
                HasSubstr("a scale up to"));
  }
}

TEST(AttentionReportTest, RefusesGridsThatLeaveTheirAxis) {
  const auto refusal = [](auto spoil) {
    return Refusal([&](AttentionReport& report) {
      report.panels = {PicturePanel()};
      spoil(*report.panels[0].key_picture);
    });
  };
  EXPECT_EQ(refusal([](PictureAxis&) {}), "accepted");
  EXPECT_THAT(refusal([](PictureAxis& axis) { axis.first = 2; }),
              HasSubstr("a picture of 2 x 3 places from number 2 on as keys"));
  EXPECT_THAT(refusal([](PictureAxis& axis) { axis.first = -1; }),
              HasSubstr("from number -1 on"));
  EXPECT_THAT(refusal([](PictureAxis& axis) { axis.rows = 0; }),
              HasSubstr("0 x 3 places"));
  EXPECT_THAT(refusal([](PictureAxis& axis) {
                axis.rows = std::numeric_limits<int>::max();
                axis.cols = axis.rows;
              }),
              HasSubstr("places"));
  EXPECT_THAT(
      refusal([](PictureAxis& axis) { axis.picture.pixels.pop_back(); }),
      HasSubstr("Draw"));
}

TEST(AttentionReportTest, RefusesLongSequencesThatDoNotFit) {
  const auto refusal = [](auto spoil) {
    return Refusal([&](AttentionReport& report) {
      report.panels = {LongPanel()};
      spoil(report.panels[0], *report.panels[0].long_sequences);
    });
  };
  EXPECT_EQ(refusal([](AttentionPanel&, LongSequences&) {}), "accepted");
  EXPECT_THAT(refusal([](AttentionPanel& panel, LongSequences&) {
                panel.named_maps = {
                    {"a", std::vector<float>(panel.weights.size() / 2)}};
              }),
              HasSubstr("named maps"));
  EXPECT_THAT(
      refusal([](AttentionPanel&, LongSequences& s) { s.query_count = 1000; }),
      HasSubstr("runs of queries instead of"));
  EXPECT_THAT(
      refusal([](AttentionPanel&, LongSequences& s) { s.keys = {"one"}; }),
      HasSubstr("1 labels of single keys instead of"));
  EXPECT_THAT(refusal([](AttentionPanel&, LongSequences& s) {
                s.levels[0].keys_per_cell = 3;
              }),
              HasSubstr("a level of 4 x 3 below one of 16 x 16"));
  EXPECT_THAT(refusal([](AttentionPanel&, LongSequences& s) {
                s.levels[1].weights.pop_back();
              }),
              HasSubstr("weights of a level instead of"));
  EXPECT_THAT(refusal([](AttentionPanel&, LongSequences& s) {
                s.top.keys[0] = s.key_count;
              }),
              HasSubstr("the top key"));
}

}  // namespace
}  // namespace keylens::render
