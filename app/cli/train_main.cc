// keylens-train: what `keylens` becomes to train models, and to look at them by
// means of training: gradients, and recorders of torch modules.

#include "app/cli/command_line.h"
#include "app/cli/verb.h"
#include "systems/classifier/relevance/attention_maps.h"

namespace keylens::cli {
namespace {

int Run(int argc, char** argv) {
  CLI::App app("Keylens: the verbs that need gradients.", "keylens");
  SetUpApp(app);
  AddClassifyVerb(app, classifier::OpenAttentionMaps);
  AddHeadsVerb(app);
  AddTrainVerb(app);
  AddEvaluateGenerator(AddEvaluateVerb(app));
  return RunApp(app, argc, argv);
}

}  // namespace
}  // namespace keylens::cli

int main(int argc, char** argv) { return keylens::cli::Run(argc, argv); }
