#ifndef KEYLENS_APP_CLI_DATA_SETS_H_
#define KEYLENS_APP_CLI_DATA_SETS_H_

#include <CLI/App.hpp>

namespace keylens::cli {

// The data sets that `keylens data` writes: each declares a verb below it. A
// new one is a new file, a line here, in data_verb.cc and in CMakeLists.txt.
void AddEmojiData(CLI::App& data);
void AddFashionData(CLI::App& data);
void AddGermanEnglishData(CLI::App& data);

}  // namespace keylens::cli

#endif  // KEYLENS_APP_CLI_DATA_SETS_H_
