#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "src/base/error.h"
#include "src/weights/weight_report.h"

namespace keylens {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

TEST(Compare, NamesAllThatIsWrongInOneError) {
  MemorySource source("f.safetensors");
  const std::vector<float> six(6, 1.0f);
  const std::vector<int64_t> integers(6, 1);
  source.Add("good", {2, 3}, six);
  source.Add("turned", {3, 2}, six);
  source.Add("integers", ElementType::kInt64, {6},
             std::as_bytes(std::span(integers)));
  source.Add("odd one\n", {6}, six);
  const std::vector<TensorSpec> specs = {{"good", {2, 3}},
                                         {"turned", {2, 3}},
                                         {"integers", {6}},
                                         {"gone", {1}},
                                         {"may be gone", {1}, true}};
  const WeightReport report = Compare(source, specs);
  EXPECT_THAT(report.used, ElementsAre("good"));
  EXPECT_THAT(report.missing, ElementsAre("gone"));
  EXPECT_THAT(report.unknown, ElementsAre("odd one\n"));
  EXPECT_FALSE(report.complete());
  try {
    RequireWeights(source, specs);
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_THAT(
        error.what(),
        AllOf(HasSubstr("f.safetensors: "), HasSubstr("'gone' is missing"),
              HasSubstr("'turned' has shape [3, 2], the model's is [2, 3]"),
              HasSubstr("'integers' holds int64"),
              HasSubstr("'odd one?' is none of the model's")));
  }
}

TEST(Compare, AValueThatIsNotFiniteIsFoundWhereAsked) {
  MemorySource source;
  std::vector<float> many(100'000, 1.0f);
  source.Add("good", {100'000}, many);
  many[99'999] = INFINITY;
  source.Add("bad", {100'000}, many);
  const std::vector<TensorSpec> specs = {{"good", {100'000}},
                                         {"bad", {100'000}}};
  WeightReport report = Compare(source, specs);
  EXPECT_TRUE(report.complete());
  CheckValues(source, report);
  EXPECT_THAT(report.not_finite, ElementsAre("bad"));
  EXPECT_THAT(report.Problems(), HasSubstr("'bad' holds NaN or infinity"));
}

TEST(PrefixedSource, IsTheRestOfTheNames) {
  auto source = std::make_shared<MemorySource>("f");
  const std::vector<float> one(1, 4.0f);
  source->Add("encoder.weight", {1}, one);
  source->Add("decoder.weight", {1}, one);
  const PrefixedSource encoder(source, "encoder.");
  EXPECT_THAT(encoder.Names(), ElementsAre("weight"));
  EXPECT_TRUE(encoder.Find("weight").has_value());
  EXPECT_FALSE(encoder.Find("encoder.weight").has_value());
  EXPECT_THAT(encoder.Find("weight")->place, HasSubstr("'encoder.weight'"));
}

}  // namespace
}  // namespace keylens
