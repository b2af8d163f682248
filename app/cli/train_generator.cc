// keylens train generator: learns to draw.

#include <memory>
#include <string>
#include <vector>

#include "app/cli/training_options.h"
#include "src/base/error.h"
#include "systems/generator/training/run_training.h"

namespace keylens::cli {
namespace {

const TrainingHelp& Help() {
  static const TrainingHelp help = {
      "folder of captioned pictures: metadata.jsonl (file_name, text), or "
      "x.txt beside x.png",
      "pictures", "grid of samples", "the feature maps"};
  return help;
}

constexpr const char* kPredictions[] = {"v_prediction", "flow"};

struct Options {
  TrainingOptions common;
  generator::TrainingRun run;
  std::string prediction = kPredictions[0];
};

void AddGeneratorOptions(CLI::App& app, Options& options) {
  generator::GeneratorTraining& training = options.run.training;
  generator::UNetConfig& unet = training.config.unet;
  app.add_option("--image-size", unet.sample_size,
                 "pixels along each side of the model's pictures")
      ->check(CLI::Range(8, 1024))
      ->capture_default_str();
  app.add_option("--channels", unet.block_channels,
                 "channels at each of the three levels")
      ->expected(3)
      ->check(CLI::Range(8, 4096));
  app.add_option("--prediction", options.prediction,
                 "what the network predicts")
      ->check(CLI::IsMember({kPredictions[0], kPredictions[1]}))
      ->capture_default_str();
  app.add_option("--time-shift", training.time_shift,
                 "above 0: more training on noisy pictures")
      ->capture_default_str();
  app.add_option("--time-spread", training.time_spread,
                 "above 1: more training on both ends, noise and picture")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  app.add_option("--sample-prompt", training.sample_prompts,
                 "a prompt of the grids of samples; may be repeated");
}

train::RunFile::Options SizesOf(const generator::GeneratorConfig& config) {
  std::vector<std::string> channels;
  for (const int64_t count : config.unet.block_channels)
    channels.push_back(std::to_string(count));
  const bool flow = config.scheduler.prediction == generator::Prediction::kFlow;
  return {{"image-size", {std::to_string(config.unet.sample_size)}},
          {"channels", channels},
          {"prediction", {kPredictions[flow ? 1 : 0]}}};
}

train::RunFile::Options SizesOfModel(const std::filesystem::path& model) {
  if (!std::filesystem::exists(model / "model_index.json")) return {};
  generator::GeneratorConfig config;
  config.unet = generator::ReadUNetConfig(model / "unet/config.json");
  config.scheduler =
      generator::ReadSchedulerConfig(model / "scheduler/scheduler_config.json");
  return SizesOf(config);
}

RunKind Kind() {
  return {"generator",
          {"seed", "image-size", "channels", "prediction"},
          SizesOfModel};
}

void Settle(Options& options) {
  generator::TrainingRun& run = options.run;
  run.data = options.common.data;
  run.training.bfloat16 = options.common.bfloat16;
  run.training.config.scheduler.prediction =
      options.prediction == kPredictions[1] ? generator::Prediction::kFlow
                                            : generator::Prediction::kVelocity;
  for (const int64_t channels : run.training.config.unet.block_channels) {
    if (channels % run.training.config.unet.norm_groups != 0) {
      throw UsageError("--channels: each must be a multiple of 8");
    }
  }
}

}  // namespace

void AddGeneratorTraining(CLI::App& train) {
  CLI::App* verb = train.add_subcommand(
      "generator", "learn to draw from a folder of captioned pictures");
  auto options = std::make_shared<Options>();
  AddTrainingOptions(*verb, Help(), options->common);
  AddGeneratorOptions(*verb, *options);
  SetTraining(
      *verb,
      {.help = Help(),
       .kind = Kind(),
       .settle = [options](const TrainingOptions&) { Settle(*options); },
       .sizes = [options] { return SizesOf(options->run.training.config); },
       .train =
           [options](const train::TrainerOptions& trainer) {
             options->run.trainer = trainer;
             options->run.note = trainer.note;
             return generator::TrainGenerator(options->run);
           }},
      options->common);
}

}  // namespace keylens::cli
