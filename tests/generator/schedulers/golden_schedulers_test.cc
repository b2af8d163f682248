// Every step of DDIM and Euler against diffusers' own (data/README.md).

#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

#include "src/base/file.h"
#include "src/checkpoint/safetensors.h"
#include "systems/generator/schedulers/scheduler_kinds.h"

namespace keylens::generator {
namespace {

namespace fs = std::filesystem;

torch::Tensor TensorOf(const Safetensors& file, const std::string& name) {
  const NamedTensor* found = file.Find(name);
  if (found == nullptr) return {};
  const torch::Tensor tensor = torch::empty(found->shape);
  std::memcpy(tensor.data_ptr<float>(), found->bytes.data(),
              found->bytes.size());
  return tensor;
}

double Error(const torch::Tensor& got, const torch::Tensor& want) {
  return ((got - want).abs().max() / want.abs().max()).item<double>();
}

struct Golden {
  explicit Golden(const std::string& variant)
      : path(fs::path(KEYLENS_SOURCE_DIR) / "tests/generator/schedulers/data" /
             (variant + ".json")),
        about(nlohmann::json::parse(ReadFile(path))),
        arrays(
            Safetensors::Read(fs::path(path).replace_extension("safetensors"))),
        tolerance(variant.find("zero_snr") == std::string::npos ? 1e-5 : 1e-4) {
    // As it would lie in a model's folder; the class is another one there.
    nlohmann::json config = about.at("made_from");
    config.update(about.at("changed"));
    options = ParseSchedulerOptions(config.dump(), variant);
    options.eta = about.at("step_arguments").value("eta", 0.0);
  }

  std::unique_ptr<Scheduler> Make(int64_t steps) const {
    for (const SchedulerKind& kind : SchedulerKinds())
      if (kind.class_name == about.at("class"))
        return kind.make(options, steps);
    throw std::logic_error("no such class");
  }

  fs::path path;
  nlohmann::json about;
  Safetensors arrays;
  double tolerance;
  SchedulerOptions options;
};

class GoldenSchedulerTest : public ::testing::TestWithParam<const char*> {
 protected:
  GoldenSchedulerTest() : golden_(GetParam()) {}
  Golden golden_;
};

TEST_P(GoldenSchedulerTest, TakesTheSameTimesteps) {
  int compared = 0;
  for (const int64_t steps : {1, 2, 4, 5, 7, 20, 25, 30, 50}) {
    const torch::Tensor want =
        TensorOf(golden_.arrays, "timesteps." + std::to_string(steps));
    if (!want.defined()) continue;
    const auto scheduler = golden_.Make(steps);
    const std::vector<double>& got = scheduler->timesteps();
    ASSERT_EQ(static_cast<int64_t>(got.size()), want.size(0));
    for (std::size_t i = 0; i < got.size(); ++i) {
      const auto timestep = want[static_cast<int64_t>(i)].item<double>();
      EXPECT_NEAR(got[i], timestep, 2e-4 + golden_.tolerance * timestep)
          << steps << " steps";
    }
    ++compared;
  }
  EXPECT_GE(compared, 4);
}

TEST_P(GoldenSchedulerTest, TakesTheSameSteps) {
  const auto scheduler = golden_.Make(golden_.about.at("steps"));
  const double sigma =
      TensorOf(golden_.arrays, "init_noise_sigma").item<double>();
  EXPECT_NEAR(scheduler->initial_sigma() / sigma, 1, golden_.tolerance);
  const torch::Tensor outputs = TensorOf(golden_.arrays, "in.model_output");
  const torch::Tensor noise = TensorOf(golden_.arrays, "in.noise");
  const torch::Tensor inputs = TensorOf(golden_.arrays, "model_input");
  const torch::Tensor after = TensorOf(golden_.arrays, "latents_after_step");
  torch::Tensor x =
      scheduler->initial_sigma() * TensorOf(golden_.arrays, "in.latents");
  for (int64_t step = 0; step < after.size(0); ++step) {
    EXPECT_LT(Error(scheduler->ScaleInput(x, step)[0], inputs[step]),
              golden_.tolerance);
    ASSERT_EQ(scheduler->NeedsNoise(step), noise.defined());
    x = scheduler->Step(
        x, outputs[step].unsqueeze(0), step,
        noise.defined() ? noise[step].unsqueeze(0) : torch::Tensor());
    EXPECT_LT(Error(x[0], after[step]), golden_.tolerance) << "step " << step;
  }
}

TEST_P(GoldenSchedulerTest, AddsTheSameNoise) {
  const torch::Tensor want = TensorOf(golden_.arrays, "add_noise.out");
  if (!want.defined()) return;
  const torch::Tensor times =
      TensorOf(golden_.arrays, "add_noise.in.timesteps");
  const auto scheduler = golden_.Make(golden_.about.at("steps"));
  for (int64_t i = 0; i < want.size(0); ++i) {
    const auto& all = scheduler->timesteps();
    const auto found = std::find_if(all.begin(), all.end(), [&](double time) {
      return std::abs(time - times[i].item<double>()) < 0.01;
    });
    ASSERT_NE(found, all.end()) << times[i].item<double>();
    const torch::Tensor got = scheduler->AddNoise(
        TensorOf(golden_.arrays, "add_noise.in.clean")[i].unsqueeze(0),
        TensorOf(golden_.arrays, "add_noise.in.noise")[i].unsqueeze(0),
        found - all.begin());
    EXPECT_LT(Error(got[0], want[i]), golden_.tolerance);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Diffusers, GoldenSchedulerTest,
    ::testing::Values("ddim_sd15", "ddim_sd15_clip_sample", "ddim_sd15_eta1",
                      "ddim_sd2_v", "ddim_zero_snr_v", "euler_karras_sdxl",
                      "euler_sd15", "euler_sd2_v", "euler_sdxl", "euler_turbo",
                      "euler_zero_snr_v"),
    [](const auto& variant) { return std::string(variant.param); });

}  // namespace
}  // namespace keylens::generator
