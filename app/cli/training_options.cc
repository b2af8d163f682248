#include "app/cli/training_options.h"

#include <fmt/format.h>
#include <keylens/nn/bfloat16_convolution.h>
#include <keylens/nn/memory.h>

#include <cmath>
#include <cstdlib>
#include <iostream>
#include <optional>
#include <string_view>

#include "app/cli/progress_line.h"
#include "src/base/error.h"
#include "src/parallel/stop_on_signals.h"

namespace keylens::cli {
namespace {

void AddRunOptions(CLI::App& app, const TrainingHelp& help,
                   TrainingOptions& options) {
  train::TrainerOptions& trainer = options.trainer;
  app.add_option("--data", options.data,
                 help.data + "; a run that is resumed knows its own");
  app.add_option("--out", trainer.out,
                 "folder of the run: checkpoint, samples, metrics, model")
      ->required();
  app.add_flag("--resume", trainer.resume,
               "go on with the run in --out, with the options that it has; "
               "those given anew take their place");
  auto* hours = app.add_option("--hours", options.hours,
                               "stop after so many hours of training, counted "
                               "from the beginning of the run")
                    ->check(CLI::PositiveNumber);
  app.add_option("--steps", options.steps,
                 "stop after so many steps, counted "
                 "from the beginning of the run")
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

// Ranges let NaN through, which is neither below nor above.
std::string CheckFinite(const std::string& text) {
  const double number = std::strtod(text.c_str(), nullptr);
  return std::isfinite(number) ? "" : "must be a finite number, not " + text;
}

// Takes over the options that have no value unless they were given.
void SettleCommon(const CLI::App& app, TrainingOptions& options) {
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

// A word as a shell reads it.
std::string Quoted(const std::string& word) {
  constexpr std::string_view kPlain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
      "_-./+,=:@%";
  if (!word.empty() && word.find_first_not_of(kPlain) == std::string::npos)
    return word;
  std::string quoted = "'";
  for (const char letter : word)
    quoted += letter == '\'' ? "'\\''" : std::string(1, letter);
  return quoted + "'";
}

std::string NothingLeftToDo(const train::TrainingResult& result,
                            const train::TrainerOptions& trainer) {
  if (trainer.hours) {
    return fmt::format(
        "nothing left to do: the run has trained for {:.2f} h, and --hours {} "
        "counts from its beginning; give more to go on\n",
        result.seconds / 3600, *trainer.hours);
  }
  return fmt::format(
      "nothing left to do: the run has {} steps, and --steps {} counts from "
      "its beginning; give more to go on\n",
      result.steps, trainer.steps.value_or(0));
}

void Report(const TrainingVerb& system, const train::TrainingResult& result,
            const train::TrainerOptions& trainer) {
  const std::string out = trainer.out.string();
  if (result.loss) {
    std::cerr << fmt::format("{} after {} steps, {} {}, loss {:.4f}\n",
                             result.interrupted ? "stopped" : "done",
                             result.steps, result.examples,
                             system.help.examples, *result.loss);
  } else if (!result.interrupted) {
    std::cerr << NothingLeftToDo(result, trainer);
  }
  if (result.interrupted) {
    std::cerr << fmt::format("go on by: keylens train {} --out {} --resume\n",
                             system.kind.system, Quoted(out));
  }
  if (result.steps > 0) std::cout << out << "/model\n";
}

void CheckData(const TrainingOptions& options) {
  if (!options.data.empty())
    return train::CheckOutsideData(options.trainer.out, options.data);
  throw UsageError(options.trainer.resume
                       ? "--data is required: " + options.trainer.out.string() +
                             " holds no run that names its own"
                       : "--data is required");
}

// What run.json is to say.
train::RunFile RunFileOf(const CLI::App& verb, const TrainingVerb& system,
                         const TrainingOptions& common) {
  train::RunFile file = {system.kind.system, OptionsToKeep(verb)};
  const train::TrainerOptions& trainer = common.trainer;
  file.options["seed"] = {std::to_string(trainer.seed.value_or(0))};
  file.options["batch"] = {
      std::to_string(trainer.batch.value_or(trainer.default_batch))};
  for (const auto& [name, values] : system.sizes()) file.options[name] = values;
  return file;
}

void RequireFiniteNumbers(CLI::App& verb) {
  for (CLI::Option* option : verb.get_options())
    if (option->get_type_name().starts_with("FLOAT"))
      option->check(CheckFinite);
}

void RunTraining(CLI::App& verb, const TrainingVerb& system,
                 TrainingOptions& common) {
  nn::KeepFreedMemory();
  train::TrainerOptions& trainer = common.trainer;
  ProgressLine line;
  if (trainer.resume) {
    const std::string note = TakeOptionsOfRun(verb, system.kind, trainer.out);
    if (!note.empty()) line.Note(note);
  }
  SettleCommon(verb, common);
  CheckData(common);
  system.settle(common);
  trainer.run_file = RunFileOf(verb, system, common);
  const StopSource stop;
  std::optional<StopOnSignals> signals;
  trainer.stop = stop.token();
  trainer.on_start = [&] { signals.emplace(stop); };
  trainer.note = [&](const std::string& text) { line.Note(text); };
  trainer.progress = [&](const train::ProgressReport& report) {
    line.Show(report);
  };
  const train::TrainingResult result = system.train(trainer);
  line.End();
  Report(system, result, trainer);
}

}  // namespace

void AddTrainingOptions(CLI::App& app, const TrainingHelp& help,
                        TrainingOptions& options) {
  AddRunOptions(app, help, options);
  AddLearningOptions(app, help, options);
}

void SetTraining(CLI::App& verb, const TrainingVerb& system,
                 TrainingOptions& common) {
  RequireFiniteNumbers(verb);
  verb.callback(
      [&verb, system, &common] { RunTraining(verb, system, common); });
}

}  // namespace keylens::cli
