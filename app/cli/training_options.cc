#include "app/cli/training_options.h"

#include <fmt/format.h>
#include <keylens/nn/conv2d.h>

#include <iostream>

#include "src/base/error.h"

namespace keylens::cli {
namespace {

void AddRunOptions(CLI::App& app, const TrainingHelp& help,
                   TrainingOptions& options) {
  train::TrainerOptions& trainer = options.trainer;
  app.add_option("--data", options.data, help.data)->required();
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
  app.add_option("--checkpoint-seconds", trainer.checkpoint_seconds,
                 "time from one checkpoint to the next")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  app.add_option("--sample-seconds", trainer.sample_seconds,
                 "time from one " + help.samples + " to the next")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
}

void AddScheduleOptions(CLI::App& app, TrainingOptions& options) {
  train::TrainerOptions& trainer = options.trainer;
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
  app.add_option("--decay-shape", options.decay_shape, "how it falls")
      ->check(CLI::IsMember({"linear", "cosine"}))
      ->capture_default_str();
  app.add_option("--average", trainer.average_decay,
                 "factor of the moving average of the weights")
      ->check(CLI::Range(0.0, 1.0))
      ->capture_default_str();
}

void AddLearningOptions(CLI::App& app, const TrainingHelp& help,
                        TrainingOptions& options) {
  app.add_option("--batch", options.batch,
                 fmt::format("{} in a step (default {})", help.examples,
                             options.trainer.default_batch))
      ->check(CLI::Range(1, 65536));
  AddScheduleOptions(app, options);
  app.add_option("--seed", options.seed, "of every random draw (default 0)")
      ->check(CheckSeed);
  app.add_option("--threads", options.trainer.workers, "0: one for each core")
      ->check(CLI::Range(0, 1024))
      ->capture_default_str();
  app.add_option("--precision", options.precision,
                 "of " + help.precision +
                     " in training; bfloat16 needs a CPU that multiplies it "
                     "(AVX512_BF16, AMX)")
      ->check(CLI::IsMember({"float32", "bfloat16"}))
      ->capture_default_str();
}

}  // namespace

void AddTrainingOptions(CLI::App& app, const TrainingHelp& help,
                        TrainingOptions& options) {
  AddRunOptions(app, help, options);
  AddLearningOptions(app, help, options);
}

void SettleTrainingOptions(const CLI::App& app, TrainingOptions& options) {
  train::TrainerOptions& trainer = options.trainer;
  if (app.count("--hours") > 0) trainer.hours = options.hours;
  if (app.count("--steps") > 0) trainer.steps = options.steps;
  if (app.count("--batch") > 0) trainer.batch = options.batch;
  if (app.count("--seed") > 0) trainer.seed = options.seed;
  trainer.schedule.decay_shape = options.decay_shape == "cosine"
                                     ? train::DecayShape::kCosine
                                     : train::DecayShape::kLinear;
  options.bfloat16 = options.precision == "bfloat16";
  if (options.bfloat16 && !nn::HasBFloat16Convolution()) {
    throw UsageError(
        "--precision bfloat16: this CPU does not multiply bfloat16; use "
        "float32");
  }
}

void ReportTraining(const std::string& system, const TrainingHelp& help,
                    const train::TrainingResult& result,
                    const TrainingOptions& options) {
  const std::string out = options.trainer.out.string();
  std::cerr << fmt::format("{} after {} steps, {} {}, loss {:.4f}\n",
                           result.interrupted ? "stopped" : "done",
                           result.steps, result.examples, help.examples,
                           result.loss);
  if (result.interrupted) {
    std::cerr << fmt::format(
        "go on by: keylens train {} --data {} --out {} --resume\n", system,
        options.data.string(), out);
  }
  std::cout << out << "/model\n";
}

}  // namespace keylens::cli
