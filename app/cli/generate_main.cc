// keylens-generate: what `keylens` becomes to draw pictures.

#include "app/cli/command_line.h"
#include "app/cli/verb.h"

int main(int argc, char** argv) {
  CLI::App app("Keylens: the verb that draws.", "keylens");
  keylens::cli::SetUpApp(app);
  keylens::cli::AddGenerateVerb(app);
  return keylens::cli::RunApp(app, argc, argv);
}
