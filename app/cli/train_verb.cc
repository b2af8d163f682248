// keylens train SYSTEM: learns a model from a folder of examples.

#include <fmt/format.h>
#include <keylens/nn/conv2d.h>
#include <keylens/nn/memory.h>

#include <cmath>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include "app/cli/verb.h"
#include "src/base/error.h"
#include "systems/generator/run_training.h"

namespace keylens::cli {
namespace {

struct Options {
  generator::TrainingRun run;
  double hours = 0;
  int64_t steps = 0;
  int64_t batch = 0;
  uint64_t seed = 0;
  std::string prediction = "v_prediction";
  std::string precision = "float32";
};

void AddRunOptions(CLI::App& app, Options& options) {
  train::TrainerOptions& trainer = options.run.trainer;
  app.add_option("--data", options.run.data,
                 "folder of captioned pictures: metadata.jsonl (file_name, "
                 "text), or x.txt beside x.png")
      ->required();
  app.add_option("--out", trainer.out,
                 "folder of the run: checkpoint, samples, metrics, model")
      ->required();
  app.add_flag("--resume", trainer.resume, "go on with the run in --out");
  auto* hours = app.add_option("--hours", options.hours,
                               "stop after so many hours of training")
                    ->check(CLI::PositiveNumber);
  app.add_option("--steps", options.steps, "stop after so many steps")
      ->check(CLI::PositiveNumber)
      ->excludes(hours);
}

void AddLearningOptions(CLI::App& app, Options& options) {
  train::TrainerOptions& trainer = options.run.trainer;
  app.add_option("--batch", options.batch, "pictures in a step (default 32)")
      ->check(CLI::Range(1, 65536));
  app.add_option("--lr", trainer.schedule.learning_rate, "learning rate")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  app.add_option("--warmup", trainer.schedule.warmup_steps,
                 "steps until the learning rate is reached")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
  app.add_option("--decay", trainer.schedule.decay_share,
                 "part of the run over which the learning rate falls to 0")
      ->check(CLI::Range(0.0, 1.0))
      ->capture_default_str();
  app.add_option("--average", trainer.average_decay,
                 "factor of the moving average of the weights")
      ->check(CLI::Range(0.0, 1.0))
      ->capture_default_str();
  app.add_option("--seed", options.seed, "of every random draw (default 0)")
      ->check(CheckSeed);
  app.add_option("--threads", trainer.workers, "0: one for each core")
      ->check(CLI::Range(0, 1024))
      ->capture_default_str();
  app.add_option("--checkpoint-seconds", trainer.checkpoint_seconds,
                 "time from one checkpoint to the next")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  app.add_option("--sample-seconds", trainer.sample_seconds,
                 "time from one grid of samples to the next")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
}

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
      ->check(CLI::IsMember({"v_prediction", "flow"}))
      ->capture_default_str();
  app.add_option("--precision", options.precision,
                 "of the feature maps in training; bfloat16 needs a CPU that "
                 "multiplies it (AVX512_BF16, AMX)")
      ->check(CLI::IsMember({"float32", "bfloat16"}))
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

// Options that have no value unless they were given.
void Settle(const CLI::App& app, Options& options) {
  train::TrainerOptions& trainer = options.run.trainer;
  if (app.count("--hours") > 0) trainer.hours = options.hours;
  if (app.count("--steps") > 0) trainer.steps = options.steps;
  if (app.count("--batch") > 0) trainer.batch = options.batch;
  if (app.count("--seed") > 0) trainer.seed = options.seed;
  options.run.training.seed = options.seed;
  options.run.training.config.scheduler.prediction =
      options.prediction == "flow" ? generator::Prediction::kFlow
                                   : generator::Prediction::kVelocity;
  options.run.training.bfloat16 = options.precision == "bfloat16";
  if (options.run.training.bfloat16 && !nn::HasBFloat16Convolution()) {
    throw UsageError(
        "--precision bfloat16: this CPU does not multiply bfloat16; use "
        "float32");
  }
  for (const int64_t channels :
       options.run.training.config.unet.block_channels) {
    if (channels % options.run.training.config.unet.norm_groups != 0) {
      throw UsageError("--channels: each must be a multiple of 8");
    }
  }
}

void Report(const train::TrainingResult& result, const Options& options) {
  const std::string out = options.run.trainer.out.string();
  std::cerr << fmt::format("{} after {} steps, {} pictures, loss {:.4f}\n",
                           result.interrupted ? "stopped" : "done",
                           result.steps, result.examples, result.loss);
  if (result.interrupted) {
    std::cerr << fmt::format(
        "go on by: keylens train generator --data {} --out {} --resume\n",
        options.run.data.string(), out);
  }
  std::cout << out << "/model\n";
}

}  // namespace

void AddTrainVerb(CLI::App& app) {
  CLI::App* train = app.add_subcommand("train", "learn a model from examples");
  train->require_subcommand(1);
  CLI::App* verb = train->add_subcommand(
      "generator", "learn to draw from a folder of captioned pictures");
  auto options = std::make_shared<Options>();
  AddRunOptions(*verb, *options);
  AddLearningOptions(*verb, *options);
  AddGeneratorOptions(*verb, *options);
  verb->callback([verb, options] {
    nn::KeepFreedMemory();
    Settle(*verb, *options);
    options->run.note = [](const std::string& line) {
      std::cerr << line << '\n';
    };
    Report(generator::TrainGenerator(options->run), *options);
  });
}

}  // namespace keylens::cli
