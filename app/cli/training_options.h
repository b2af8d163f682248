#ifndef KEYLENS_APP_CLI_TRAINING_OPTIONS_H_
#define KEYLENS_APP_CLI_TRAINING_OPTIONS_H_

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>

#include "app/cli/resume.h"
#include "app/cli/verb.h"
#include "src/train/trainer_options.h"

namespace keylens::cli {

// What `keylens train` is told of a run, whatever system it trains.
struct TrainingOptions {
  std::filesystem::path data;
  train::TrainerOptions trainer;
  uint64_t seed = 0;
  bool bfloat16 = false;

  // As they were given; SettleTrainingOptions takes them over.
  double hours = 0;
  int64_t steps = 0;
  int64_t batch = 0;
  std::string precision = "float32";
  std::string decay_shape = "linear";
};

// How the help of a system's options reads.
struct TrainingHelp {
  std::string data;       // what --data is
  std::string examples;   // what a batch counts, in the plural
  std::string samples;    // what is written now and then
  std::string precision;  // of what
};

// Declares --data, --out, --resume, --hours, --steps, --batch, --lr, --warmup,
// --decay, --decay-shape, --average, --seed, --threads, --precision and the two
// intervals. The defaults are what `options` holds.
void AddTrainingOptions(CLI::App& app, const TrainingHelp& help,
                        TrainingOptions& options);

// A system's part of `keylens train`.
struct TrainingVerb {
  TrainingHelp help;
  RunKind kind;
  // Takes over `common`, and throws UsageError for options that do not fit.
  std::function<void(const TrainingOptions& common)> settle;
  // The options that the settled config stands for.
  std::function<train::RunFile::Options()> sizes;
  std::function<train::TrainingResult(const train::TrainerOptions&)> train;
};

// Makes `verb`, all of whose options are declared, run the training: it
// completes the options by those of the run that --resume names, trains, shows
// how it goes on standard error, and says in the end how to go on and, on
// standard output, where the model is. Its numbers have to be finite from here
// on. `common` lives as long as the verb.
void SetTraining(CLI::App& verb, const TrainingVerb& system,
                 TrainingOptions& common);

// The systems that can be trained: subcommands of `keylens train`.
void AddClassifierTraining(CLI::App& train);
void AddGeneratorTraining(CLI::App& train);
void AddTranslatorTraining(CLI::App& train);

}  // namespace keylens::cli

#endif  // KEYLENS_APP_CLI_TRAINING_OPTIONS_H_
