#include "systems/classifier/evaluation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <stdexcept>

namespace keylens::classifier {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// 3 cats (2 right, one taken for a dog), 2 dogs (one right, one taken for a
// cat), no horse and nothing taken for one.
Evaluation Example() {
  const std::vector<int32_t> truth = {0, 0, 0, 1, 1};
  const std::vector<int32_t> predicted = {0, 0, 1, 1, 0};
  return EvaluatePredictions(truth, predicted, {"cat", "dog", "horse"});
}

TEST(EvaluationTest, CountsAndShares) {
  const Evaluation evaluation = Example();
  EXPECT_EQ(evaluation.pictures, 5);
  EXPECT_DOUBLE_EQ(evaluation.accuracy, 0.6);
  EXPECT_THAT(evaluation.confusion, ElementsAre(2, 1, 0, 1, 1, 0, 0, 0, 0));
  const ClassFigures& cat = evaluation.classes[0];
  EXPECT_EQ(cat.pictures, 3);
  EXPECT_DOUBLE_EQ(cat.precision, 2.0 / 3);
  EXPECT_DOUBLE_EQ(cat.recall, 2.0 / 3);
  const ClassFigures& dog = evaluation.classes[1];
  EXPECT_DOUBLE_EQ(dog.precision, 0.5);
  EXPECT_DOUBLE_EQ(dog.f1, 0.5);
  const ClassFigures& horse = evaluation.classes[2];
  EXPECT_EQ(horse.precision, 0);
  EXPECT_EQ(horse.recall, 0);
  EXPECT_EQ(horse.f1, 0);
  EXPECT_DOUBLE_EQ(evaluation.mean_f1, (2.0 / 3 + 0.5) / 2);
}

TEST(EvaluationTest, AllRightIsAMeanOfOneWhicheverClassesLackPictures) {
  const std::vector<int32_t> truth = {2, 2, 0};
  EXPECT_EQ(EvaluatePredictions(truth, truth, {"a", "b", "c", "d"}).mean_f1, 1);
  EXPECT_EQ(EvaluatePredictions({}, {}, {"a", "b"}).mean_f1, 0);
}

TEST(EvaluationTest, RefusesWhatDoesNotFit) {
  const std::vector<int32_t> one = {0}, two = {0, 0}, unknown = {3},
                             negative = {-1};
  const std::vector<std::string> labels = {"a", "b", "c"};
  EXPECT_THROW(EvaluatePredictions(one, two, labels), std::invalid_argument);
  EXPECT_THROW(EvaluatePredictions(one, unknown, labels),
               std::invalid_argument);
  EXPECT_THROW(EvaluatePredictions(negative, one, labels),
               std::invalid_argument);
  EXPECT_THROW(EvaluatePredictions({}, {}, {}), std::invalid_argument);
}

TEST(EvaluationTest, PrintsTablesAndJson) {
  const std::string text = EvaluationText(Example());
  EXPECT_THAT(text, HasSubstr("60.00 % of 5 pictures right"));
  EXPECT_THAT(text, HasSubstr("cat           3      0.667   0.667  0.667\n"));
  EXPECT_THAT(text, HasSubstr("horse         0          -       -      -\n"));
  EXPECT_THAT(text, HasSubstr("  1 cat    2  1  0\n"));
  EXPECT_THAT(text, HasSubstr("  2 dog    1  1  0\n"));
  const auto json = nlohmann::json::parse(EvaluationJson(Example()));
  EXPECT_EQ(json.at("accuracy"), 0.6);
  EXPECT_EQ(json.at("classes").at(1).at("label"), "dog");
  EXPECT_EQ(json.at("confusion"),
            nlohmann::json::parse("[[2,1,0],[1,1,0],[0,0,0]]"));
}

TEST(EvaluationTest, TheReportHasTheSharesOfEachRow) {
  const render::AttentionReport report = ConfusionReport(Example(), "title");
  render::CheckReport(report, "test");
  const std::vector<float>& shares = report.panels.at(0).weights;
  EXPECT_FLOAT_EQ(shares[0], 2.0f / 3);
  EXPECT_FLOAT_EQ(shares[1], 1.0f / 3);
  EXPECT_FLOAT_EQ(shares[3], 0.5f);
  EXPECT_FLOAT_EQ(shares[8], 0.0f);
  EXPECT_EQ(report.panels[0].queries[2], "horse");
}

}  // namespace
}  // namespace keylens::classifier
