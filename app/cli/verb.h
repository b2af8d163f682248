#ifndef KEYLENS_APP_CLI_VERB_H_
#define KEYLENS_APP_CLI_VERB_H_

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <string>

#include "src/image/image.h"
#include "src/render/report/attention_report.h"

namespace keylens::cli {

// Checks a seed. CLI11 takes a negative number for an unsigned one, wrapped,
// and the largest number for any that is larger.
inline std::string CheckSeed(const std::string& text) {
  errno = 0;
  std::strtoull(text.c_str(), nullptr, 0);
  if (text.find('-') != std::string::npos)
    return "must be 0 or more, not " + text;
  return errno == ERANGE ? "must be below 2^64, not " + text : "";
}

// Draws what a classifier looked at in a picture of that name.
using ClassifierMaps = std::function<render::AttentionReport(
    const Image& image, const std::string& name)>;
// The same from a model folder.
using OpenClassifierMaps =
    std::function<ClassifierMaps(const std::filesystem::path& model)>;

// A verb of the command line: declares its options on `app` and, by
// CLI::App::callback, what it does once they are parsed. A verb reports a
// failure by throwing: keylens::Error gives exit status 1,
// keylens::UsageError 2. Results go to standard output; progress and notes go
// to standard error.
//
// A new verb is a new file, a line here, a line in the main file of the program
// that runs it (main.cc; programs.h says which verbs have another) and a line
// in CMakeLists.txt.
void AddBenchVerb(CLI::App& app);
// `open_maps`: how --maps are made, in the program that can (programs.h).
void AddClassifyVerb(CLI::App& app, const OpenClassifierMaps& open_maps = {});
void AddDataVerb(CLI::App& app);
void AddGenerateVerb(CLI::App& app);
void AddHeadsVerb(CLI::App& app);
void AddInspectVerb(CLI::App& app);
void AddModelsVerb(CLI::App& app);
void AddTrainVerb(CLI::App& app);
void AddTranslateVerb(CLI::App& app);

// `evaluate`, and what it can measure: subcommands of it.
CLI::App& AddEvaluateVerb(CLI::App& app);
void AddEvaluateGenerator(CLI::App& evaluate);
void AddEvaluateTranslator(CLI::App& evaluate);

}  // namespace keylens::cli

#endif  // KEYLENS_APP_CLI_VERB_H_
