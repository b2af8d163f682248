#ifndef KEYLENS_APP_CLI_COMMAND_LINE_H_
#define KEYLENS_APP_CLI_COMMAND_LINE_H_

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <functional>

// What every program of the command line does with its arguments.

namespace keylens::cli {

// --version, and that one verb is required.
void SetUpApp(CLI::App& app);

// May take over the process instead.
using BeforeParsing = std::function<void(int argc, char** argv)>;

// Parses, and runs the verb's callback. -> the exit status: 0, 1 for a failure,
// 2 for wrong usage, either with one line on standard error.
int RunApp(CLI::App& app, int argc, char** argv,
           const BeforeParsing& before = {});

}  // namespace keylens::cli

#endif  // KEYLENS_APP_CLI_COMMAND_LINE_H_
