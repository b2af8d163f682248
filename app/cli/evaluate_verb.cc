// keylens evaluate SYSTEM: measures a trained model.

#include "app/cli/verb.h"

namespace keylens::cli {

CLI::App& AddEvaluateVerb(CLI::App& app) {
  CLI::App* evaluate = app.add_subcommand("evaluate", "measure a model");
  evaluate->require_subcommand(1);
  return *evaluate;
}

}  // namespace keylens::cli
