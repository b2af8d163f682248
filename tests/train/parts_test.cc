// The trainer's parts that need no model: random numbers, the schedule, the
// files of a run, the watch over the loss.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <vector>

#include "src/base/error.h"
#include "src/base/file.h"
#include "src/random/random.h"
#include "src/train/loss_watch.h"
#include "src/train/metrics.h"
#include "src/train/run_file.h"
#include "src/train/schedule.h"

namespace keylens::train {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

TEST(RandomTest, IsAFunctionOfItsKey) {
  Random a({7, 3, 1}), b({7, 3, 1}), c({7, 3, 2}), d({7, 1, 3});
  const uint64_t bits = a.Bits();
  EXPECT_EQ(bits, b.Bits());
  EXPECT_NE(bits, c.Bits());
  EXPECT_NE(bits, d.Bits());  // the order of the parts counts
}

TEST(RandomTest, NormalNumbersHaveTheMomentsOfANormal) {
  constexpr int kCount = 200001;  // odd: the last of a pair alone
  std::vector<float> values(kCount);
  Random random({1});
  random.FillNormal(values);
  double mean = 0, square = 0, fourth = 0;
  for (const float value : values) {
    ASSERT_TRUE(std::isfinite(value));
    mean += value;
    square += value * value;
    fourth += std::pow(value, 4);
  }
  // Four standard errors of each moment.
  EXPECT_NEAR(mean / kCount, 0, 4 / std::sqrt(kCount));
  EXPECT_NEAR(square / kCount, 1, 4 * std::sqrt(2.0 / kCount));
  EXPECT_NEAR(fourth / kCount, 3, 4 * std::sqrt(96.0 / kCount));
}

TEST(RandomTest, BelowReachesEveryNumberEvenly) {
  Random random({2});
  std::vector<int> counts(7);
  for (int i = 0; i < 70000; ++i) ++counts.at(random.Below(7));
  for (const int count : counts) EXPECT_NEAR(count, 10000, 400);
}

TEST(ScheduleTest, WarmsUpHoldsAndFalls) {
  const Schedule schedule{
      .learning_rate = 0.1, .warmup_steps = 10, .decay_share = 0.2};
  EXPECT_DOUBLE_EQ(schedule.LearningRate(0, 0), 0.01);
  EXPECT_DOUBLE_EQ(schedule.LearningRate(4, 0), 0.05);
  EXPECT_DOUBLE_EQ(schedule.LearningRate(9, 0), 0.1);
  EXPECT_DOUBLE_EQ(schedule.LearningRate(1000, 0), 0.1);  // no end is known
  EXPECT_DOUBLE_EQ(schedule.LearningRate(1000, 0.8), 0.1);
  EXPECT_NEAR(schedule.LearningRate(1000, 0.9), 0.05, 1e-12);
  EXPECT_DOUBLE_EQ(schedule.LearningRate(1000, 1), 0);
}

TEST(ScheduleTest, FallsAlongHalfACosine) {
  const Schedule schedule{.learning_rate = 0.1,
                          .warmup_steps = 10,
                          .decay_share = 0.5,
                          .decay_shape = DecayShape::kCosine};
  EXPECT_DOUBLE_EQ(schedule.LearningRate(4, 0), 0.05);
  EXPECT_DOUBLE_EQ(schedule.LearningRate(1000, 0.5), 0.1);
  EXPECT_NEAR(schedule.LearningRate(1000, 0.625), 0.1 * (2 + std::sqrt(2)) / 4,
              1e-12);
  EXPECT_NEAR(schedule.LearningRate(1000, 0.75), 0.05, 1e-12);
  EXPECT_NEAR(schedule.LearningRate(1000, 1), 0, 1e-12);
}

TEST(ScheduleTest, WithoutDecayItStays) {
  const Schedule schedule{
      .learning_rate = 0.1, .warmup_steps = 0, .decay_share = 0};
  EXPECT_DOUBLE_EQ(schedule.LearningRate(0, 0), 0.1);
  EXPECT_DOUBLE_EQ(schedule.LearningRate(5, 1), 0.1);
}

TEST(ScheduleTest, TheAverageForgetsTheStart) {
  EXPECT_DOUBLE_EQ(AverageDecay(0, 0.999), 0.1);
  EXPECT_DOUBLE_EQ(AverageDecay(90, 0.999), 0.91);
  EXPECT_DOUBLE_EQ(AverageDecay(1000000, 0.999), 0.999);
}

class MetricsTest : public ::testing::Test {
 protected:
  MetricsTest()
      : path_(fs::path(::testing::TempDir()) / "keylens_metrics.jsonl") {
    fs::remove(path_);
  }
  ~MetricsTest() override { fs::remove(path_); }

  fs::path path_;
};

TEST_F(MetricsTest, ALostSittingLeavesNoTrace) {
  {
    MetricsFile file(path_, 0);
    for (const int64_t step : {10, 20, 30}) {
      Metrics metrics;
      metrics.step = step;
      metrics.loss = step == 20 ? std::nan("") : 0.5;
      file.Append(metrics);
    }
  }
  const std::string before = ReadFile(path_);
  EXPECT_THAT(before, HasSubstr("\"loss\":null"));
  WriteFileAtomically(path_, before + "{\"step\":40,\"lo");  // cut by a crash
  { const MetricsFile file(path_, 20); }
  const std::string after = ReadFile(path_);
  EXPECT_EQ(after, before.substr(0, before.find("{\"step\":30")));
}

TEST_F(MetricsTest, ANewRunStartsEmpty) {
  WriteFileAtomically(path_, "{\"step\":5}\n");
  { const MetricsFile file(path_, 0); }
  EXPECT_EQ(ReadFile(path_), "");
}

TEST(LossWatchTest, KeepsWhatIsFiniteAndNotFarAboveTheBeginning) {
  LossWatch watch;
  EXPECT_TRUE(watch.IsGood(1e6));  // it knows of no other
  watch.Take(NAN);
  EXPECT_FALSE(watch.good());
  EXPECT_FALSE(watch.first());
  watch.Take(2.5);
  EXPECT_EQ(watch.first(), 2.5);
  for (const double loss : {0.0, 0.01, 2.5, 30.0}) {
    watch.Take(loss);
    EXPECT_TRUE(watch.good()) << loss;
  }
  for (const double loss : {51.0, 1e9, HUGE_VAL, -HUGE_VAL, double{NAN}}) {
    watch.Take(loss);
    EXPECT_FALSE(watch.good()) << loss;
  }
  EXPECT_EQ(watch.first(), 2.5);
  EXPECT_FALSE(LossWatch(0.1).IsGood(2.5));
}

class RunFileTest : public ::testing::Test {
 protected:
  RunFileTest() : folder_(fs::path(::testing::TempDir()) / "keylens_run") {
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  ~RunFileTest() override { fs::remove_all(folder_); }

  fs::path folder_;
};

TEST_F(RunFileTest, ReadsWhatItWrote) {
  EXPECT_FALSE(ReadRunFile(folder_));
  const RunFile run = {"classifier",
                       {{"lr", {"1e-3"}}, {"channels", {"8", "16", "24"}}}};
  WriteRunFile(folder_, run);
  const auto read = ReadRunFile(folder_);
  ASSERT_TRUE(read);
  EXPECT_EQ(read->system, "classifier");
  EXPECT_EQ(read->options, run.options);
}

TEST_F(RunFileTest, WhatIsNoneIsNamed) {
  for (const char* text :
       {"", "{", "[]", "{\"system\": 3}", "{\"system\": \"x\"}",
        "{\"system\": \"x\", \"options\": {\"lr\": 0.1}}"}) {
    WriteFileAtomically(folder_ / "run.json", text);
    try {
      ReadRunFile(folder_);
      FAIL() << text;
    } catch (const Error& error) {
      EXPECT_THAT(error.what(), HasSubstr("run.json"));
    }
  }
}

}  // namespace
}  // namespace keylens::train
