// scheduler_config.json, and which scheduler a model asks for.

#include "systems/generator/schedulers/scheduler_options.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "src/base/error.h"
#include "systems/generator/schedulers/noise_table.h"
#include "systems/generator/schedulers/scheduler_kinds.h"

namespace keylens::generator {
namespace {

using ::testing::HasSubstr;

SchedulerOptions Parse(const std::string& json) {
  return ParseSchedulerOptions(json, "s.json");
}

std::string ErrorOf(const std::function<void()>& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

std::string ParseError(const std::string& json) {
  return ErrorOf([&] { Parse(json); });
}

TEST(SchedulerOptionsTest, TheClassDecidesTheScheduler) {
  const auto name = [](const std::string& json) {
    return std::string(SchedulerOf(Parse(json)).name);
  };
  EXPECT_EQ(name(R"({"_class_name":"KeylensScheduler",
                     "prediction_type":"v_prediction"})"),
            "velocity");
  EXPECT_EQ(name(R"({"_class_name":"KeylensScheduler",
                     "prediction_type":"flow"})"),
            "flow");
  EXPECT_EQ(name(R"({"_class_name":"DDIMScheduler"})"), "ddim");
  EXPECT_EQ(name(R"({"_class_name":"EulerDiscreteScheduler"})"), "euler");
  const std::string error =
      ErrorOf([] { SchedulerOf(Parse(R"({"_class_name":"Magic"})")); });
  EXPECT_THAT(error, HasSubstr("Magic"));
  EXPECT_THAT(error, HasSubstr("velocity, flow, ddim, euler"));
}

TEST(SchedulerOptionsTest, UnknownNamesListTheKnownOnes) {
  EXPECT_THAT(ErrorOf([] { SchedulerNamed("ddpm"); }),
              HasSubstr("velocity, flow, ddim, euler"));
}

TEST(SchedulerOptionsTest, ErrorsNameFileAndEntry) {
  EXPECT_THAT(ParseError("{"), HasSubstr("s.json"));
  EXPECT_THAT(ParseError("[]"), HasSubstr("s.json"));
  EXPECT_THAT(ParseError(R"({"_class_name":"a\nb"})"),
              HasSubstr("_class_name"));
  EXPECT_THAT(ParseError(R"({"beta_start":"x"})"), HasSubstr("beta_start"));
  EXPECT_THAT(ParseError(R"({"beta_start":-1})"), HasSubstr("beta_start"));
  EXPECT_THAT(ParseError(R"({"num_train_timesteps":1e18})"),
              HasSubstr("num_train_timesteps"));
  EXPECT_THAT(ParseError(R"({"trained_betas":[0.1]})"),
              HasSubstr("trained_betas"));
  EXPECT_THAT(ParseError(R"({"prediction_type":"no"})"),
              HasSubstr("v_prediction"));
  EXPECT_THAT(ParseError(R"({"timestep_spacing":3})"),
              HasSubstr("timestep_spacing"));
  // What would change the picture is not passed over.
  EXPECT_THAT(ParseError(R"({"thresholding":true})"),
              HasSubstr("thresholding"));
  EXPECT_THAT(ParseError(R"({"interpolation_type":"log_linear"})"),
              HasSubstr("interpolation_type"));
  EXPECT_THAT(ParseError(R"({"rescale_betas_zero_snr":true})"),
              HasSubstr("prediction_type"));
}

TEST(SchedulerOptionsTest, StepsBeyondWhatWasTaughtAreRefused) {
  SchedulerOptions options = Parse(R"({"steps_offset":1})");
  for (const char* name : {"ddim", "euler"}) {
    const SchedulerKind& kind = SchedulerNamed(name);
    EXPECT_THROW(kind.make(options, 1001), UsageError);
    EXPECT_EQ(kind.make(options, 999)->timesteps().size(), 999u);
  }
}

TEST(SchedulerOptionsTest, ModelsOfFlowAreDrawnByFlowAlone) {
  const SchedulerOptions flow = KeylensSchedulerOptions(Prediction::kFlow);
  const SchedulerOptions velocity =
      KeylensSchedulerOptions(Prediction::kVelocity);
  EXPECT_THROW(SchedulerNamed("ddim").make(flow, 5), UsageError);
  EXPECT_THROW(SchedulerNamed("euler").make(flow, 5), UsageError);
  EXPECT_THROW(SchedulerNamed("velocity").make(flow, 5), UsageError);
  EXPECT_THROW(SchedulerNamed("flow").make(velocity, 5), UsageError);
}

// A network that knows the picture, whatever it is shown, is led to it by every
// scheduler, from wherever it begins.
TEST(SchedulerTest, EveryWalkEndsAtThePictureThatTheNetworkKnows) {
  const SchedulerOptions options =
      KeylensSchedulerOptions(Prediction::kVelocity);
  // Of these 1,000 are a multiple: elsewhere DDIM's last step ends a little
  // before 0, here and in diffusers.
  constexpr int64_t kSteps = 8;
  const torch::Tensor known = torch::rand({1, 4, 3, 5}) * 1.8 - 0.9;
  for (const char* name : {"velocity", "ddim", "euler"}) {
    const auto scheduler = SchedulerNamed(name).make(options, kSteps);
    torch::Tensor x = scheduler->initial_sigma() * torch::randn({1, 4, 3, 5});
    for (int64_t step = 0; step < kSteps; ++step) {
      const double time =
          scheduler->timesteps()[static_cast<std::size_t>(step)];
      EXPECT_GT(time, 0);
      EXPECT_LE(time, 1);
      const double alpha = std::cos(time * M_PI / 2);
      const double sigma = std::sin(time * M_PI / 2);
      // v = alpha * noise - sigma * picture, where x is their mixture.
      const torch::Tensor input = scheduler->ScaleInput(x, step);
      const torch::Tensor noise = (input - alpha * known) / sigma;
      x = scheduler->Step(x, alpha * noise - sigma * known, step, {});
    }
    EXPECT_LT((x - known).abs().max().item<double>(), 2e-3) << name;
  }
}

TEST(SchedulerTest, PicturesAreClippedAndLatentsAreNot) {
  const torch::Tensor x = torch::full({1, 4, 2, 2}, 5.0);
  const torch::Tensor output = torch::full({1, 4, 2, 2}, -3.0);
  SchedulerOptions options = KeylensSchedulerOptions(Prediction::kVelocity);
  const auto last = [&] {
    const auto scheduler = SchedulerNamed("velocity").make(options, 1);
    return scheduler->Step(x, output, 0, {}).max().item<double>();
  };
  EXPECT_NEAR(last(), 1, 1e-5);
  options.clip_sample_range = 2;
  EXPECT_NEAR(last(), 2, 1e-5);
  options.clip_sample = false;
  EXPECT_NEAR(last(), 3, 1e-5);
}

}  // namespace
}  // namespace keylens::generator
