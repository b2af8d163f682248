// A scheduler that the library does not know draws like one that it does.

#include "tests/generator/schedulers/renoising_scheduler.h"

#include <gtest/gtest.h>

#include <cmath>

#include "src/base/error.h"
#include "systems/generator/pipeline.h"
#include "tests/generator/tiny_generator.h"

namespace keylens::generator {
namespace {

TEST(RenoisingSchedulerTest, EndsAtThePictureThatTheNetworkKnows) {
  const auto scheduler =
      kRenoising.make(KeylensSchedulerOptions(Prediction::kVelocity), 5);
  const torch::Tensor known = torch::rand({1, 4, 3, 5});
  torch::Tensor x = torch::randn({1, 4, 3, 5});
  for (int64_t step = 0; step < 5; ++step) {
    const double time = scheduler->timesteps()[static_cast<std::size_t>(step)];
    const double alpha = std::cos(time * M_PI / 2);
    const double sigma = std::sin(time * M_PI / 2);
    const torch::Tensor velocity =
        alpha * (x - alpha * known) / sigma - sigma * known;
    EXPECT_EQ(scheduler->NeedsNoise(step), step < 4);
    x = scheduler->Step(x, velocity, step, torch::randn({1, 4, 3, 5}));
  }
  EXPECT_LT((x - known).abs().max().item<double>(), 1e-5);
}

TEST(RenoisingSchedulerTest, RefusesModelsThatItCannotDrawWith) {
  EXPECT_THROW(kRenoising.make(KeylensSchedulerOptions(Prediction::kFlow), 5),
               UsageError);
}

TEST(RenoisingSchedulerTest, DrawsTheSamePictureForAnyNumberOfThreads) {
  const Pipeline pipeline = Pipeline::Load(TinyModel());
  DrawSettings settings;
  settings.steps = 3;
  settings.scheduler = &kRenoising;
  const std::vector<DrawRequest> requests = {{"red disc", "", 1, false},
                                             {"red disc", "", 2, false}};
  settings.threads = 1;
  const auto alone = DrawAll(pipeline, requests, settings);
  settings.threads = 3;
  const auto shared = DrawAll(pipeline, requests, settings);
  EXPECT_EQ(alone[0].picture.pixels, shared[0].picture.pixels);
  EXPECT_EQ(alone[1].picture.pixels, shared[1].picture.pixels);
  EXPECT_NE(alone[0].picture.pixels, alone[1].picture.pixels);
  settings.scheduler = nullptr;
  EXPECT_NE(DrawAll(pipeline, requests, settings)[0].picture.pixels,
            alone[0].picture.pixels);
}

}  // namespace
}  // namespace keylens::generator
