// keylens data: writes a data set to train on.

#include "app/cli/data_sets.h"
#include "app/cli/verb.h"

namespace keylens::cli {

void AddDataVerb(CLI::App& app) {
  CLI::App* data = app.add_subcommand("data", "Write a data set to train on");
  data->require_subcommand(1);
  AddEmojiData(*data);
  AddFashionData(*data);
  AddGermanEnglishData(*data);
}

}  // namespace keylens::cli
