// keylens train SYSTEM: learns a model from a folder of examples.

#include "app/cli/training_options.h"
#include "app/cli/verb.h"

namespace keylens::cli {

void AddTrainVerb(CLI::App& app) {
  CLI::App* train = app.add_subcommand("train", "learn a model from examples");
  train->require_subcommand(1);
  AddClassifierTraining(*train);
  AddGeneratorTraining(*train);
  AddTranslatorTraining(*train);
}

}  // namespace keylens::cli
