// keylens VERB [options]: the verbs that need no torch, and the way to those
// that do.

#include "app/cli/command_line.h"
#include "app/cli/programs.h"
#include "app/cli/verb.h"

namespace keylens::cli {
namespace {

void BecomeTheProgramAskedFor(int argc, char** argv) {
  if (const VerbElsewhere* row = FindElsewhere(argc, argv))
    BecomeProgram(row->program, argv);
}

int Run(int argc, char** argv) {
  CLI::App app("Keylens: attention you can look into.", "keylens");
  SetUpApp(app);
  DeclareElsewhere(app, "generate");
  AddTranslateVerb(app);
  AddClassifyVerb(app);
  DeclareElsewhere(app, "heads");
  AddInspectVerb(app);
  AddModelsVerb(app);
  DeclareElsewhere(app, "train");
  CLI::App& evaluate = AddEvaluateVerb(app);
  DeclareElsewhere(app, "evaluate");
  AddEvaluateTranslator(evaluate);
  AddDataVerb(app);
  AddBenchVerb(app);
  return RunApp(app, argc, argv, BecomeTheProgramAskedFor);
}

}  // namespace
}  // namespace keylens::cli

int main(int argc, char** argv) { return keylens::cli::Run(argc, argv); }
