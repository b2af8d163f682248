#include "src/inspect/head_survey.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <vector>

#include "src/inspect/survey_outputs.h"

namespace keylens::inspect {
namespace {

using ::testing::HasSubstr;

// Two layers of one head; every query of layer 1 looks at itself, of layer 2 at
// the key before (the first one at itself).
render::AttentionPanel Panel(int length) {
  render::AttentionPanel panel;
  panel.name = "encoder";
  panel.self_attention = true;
  panel.layers = 2;
  for (int i = 0; i < length; ++i) panel.queries.push_back(std::to_string(i));
  panel.keys = panel.queries;
  for (int layer = 0; layer < 2; ++layer) {
    for (int i = 0; i < length; ++i) {
      for (int j = 0; j < length; ++j)
        panel.weights.push_back(j == std::max(0, i - layer) ? 1.0f : 0.0f);
    }
  }
  return panel;
}

TEST(HeadSurvey, EveryQueryCountsAsMuch) {
  HeadSurvey survey;
  survey.Add(Panel(2));
  survey.Add(Panel(10));
  const std::vector<SurveyedPlace> places = survey.Places();
  ASSERT_EQ(places.size(), 1u);
  const SurveyedPlace& place = places[0];
  EXPECT_EQ(place.queries, 12);
  ASSERT_EQ(place.statistics.size(), 2u);
  EXPECT_EQ(place.statistics[0].self, 1);
  EXPECT_FLOAT_EQ(place.statistics[0].first_key, 2.0f / 12);
  // One of two queries, and nine of ten.
  EXPECT_FLOAT_EQ(place.statistics[1].previous, 10.0f / 12);
  EXPECT_FLOAT_EQ(place.statistics[1].mean_distance, 10.0f / 12);
  EXPECT_FLOAT_EQ(place.statistics[1].first_key, 4.0f / 12);
}

TEST(HeadSurvey, StepsAreQueriesToo) {
  render::AttentionPanel panel = Panel(3);
  panel.layers = 1;
  panel.steps = 2;  // the second step is what layer 2 was
  HeadSurvey survey;
  survey.Add(panel);
  const SurveyedPlace place = survey.Places()[0];
  EXPECT_EQ(place.queries, 6);
  EXPECT_FLOAT_EQ(place.statistics[0].self, 4.0f / 6);
}

TEST(HeadSurvey, PlacesByName) {
  HeadSurvey survey;
  render::AttentionPanel other = Panel(4);
  other.name = "decoder";
  survey.Add(Panel(3));
  survey.Add(other);
  survey.Add(Panel(3));
  const auto places = survey.Places();
  ASSERT_EQ(places.size(), 2u);
  EXPECT_EQ(places[0].name, "encoder");
  EXPECT_EQ(places[0].queries, 6);
  EXPECT_EQ(places[1].queries, 4);
  other.layers = 1;
  other.heads = 2;
  EXPECT_THROW(survey.Add(other), std::invalid_argument);
}

TEST(SurveyOutputs, TableJsonAndPanelsSayTheSame) {
  HeadSurvey survey;
  survey.Add(Panel(30));
  SurveyedPlace place = survey.Places()[0];
  const std::string table = SurveyTable(place);
  EXPECT_THAT(table, HasSubstr("encoder, 30 queries\nlayer  head  kind"));
  EXPECT_THAT(table, HasSubstr("    1     1  self"));
  EXPECT_THAT(table, HasSubstr("    2     1  previous"));
  EXPECT_THAT(table, ::testing::Not(HasSubstr("agreement")));
  place.agreement = {0.25, 0.5};
  EXPECT_THAT(SurveyTable(place), HasSubstr("50.0 %\n"));

  const auto json = ToJson(place);
  ASSERT_EQ(json["layers"].size(), 2u);
  EXPECT_EQ(json["layers"][1]["heads"][0]["kind"], "previous");
  EXPECT_EQ(json["layers"][0]["heads"][0]["agreement"], 0.25);

  const auto panels = SurveyPanels(place);
  for (const render::AttentionPanel& panel : panels)
    render::CheckPanel(panel, "test");
  ASSERT_EQ(panels.size(), 7u);
  EXPECT_EQ(panels[1].name, "encoder: share on the key before");
  EXPECT_EQ(panels[1].queries,
            (std::vector<std::string>{"layer 1", "layer 2"}));
  EXPECT_EQ(panels[1].keys, std::vector<std::string>{"head 1"});
  EXPECT_FLOAT_EQ(panels[1].weights[1], 29.0f / 30);
  EXPECT_EQ(panels[6].weights, (std::vector<float>{0.25, 0.5}));
}

}  // namespace
}  // namespace keylens::inspect
