#include "app/cli/programs.h"

#include <fmt/format.h>
#include <unistd.h>

#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <span>
#include <string>

#include "src/base/error.h"
#include "src/base/program.h"

namespace keylens::cli {
namespace {

constexpr std::string_view kGenerate = "keylens-generate";
constexpr std::string_view kTrain = "keylens-train";

constexpr std::array kElsewhere = {
    VerbElsewhere{"generate", "", "", kGenerate, "draw a picture from text"},
    // Relevance for a class takes a backward pass.
    VerbElsewhere{"classify", "", "--maps", kTrain, ""},
    VerbElsewhere{"heads", "", "", kTrain,
                  "which head of a model does what, in the mean over a data "
                  "set"},
    VerbElsewhere{"train", "", "", kTrain, "learn a model from examples"},
    VerbElsewhere{"evaluate", "generator", "", kTrain,
                  "how often the nearest picture of a set to what is drawn for "
                  "a caption is the caption's own"},
};

// "--maps" and "--maps=FILE"; what follows "--" is no option.
bool HasOption(std::span<const char* const> arguments,
               std::string_view option) {
  for (const std::string_view argument : arguments) {
    if (argument == "--") return false;
    if (argument == option) return true;
    if (argument.starts_with(option) && argument[option.size()] == '=')
      return true;
  }
  return false;
}

}  // namespace

const VerbElsewhere* FindElsewhere(int argc, const char* const* argv) {
  const std::span arguments(argv, static_cast<std::size_t>(argc));
  if (arguments.size() < 2) return nullptr;
  const auto* found =
      std::ranges::find_if(kElsewhere, [&](const VerbElsewhere& row) {
        if (row.verb != arguments[1]) return false;
        if (!row.subject.empty())
          return arguments.size() > 2 && row.subject == arguments[2];
        return row.option.empty() ||
               HasOption(arguments.subspan(2), row.option);
      });
  return found == kElsewhere.end() ? nullptr : found;
}

void BecomeProgram(std::string_view program, char** argv) {
  const auto path = FindProgram(std::string(program));
  if (!path) {
    throw Error(fmt::format(
        "{} is neither beside this program nor in libexec/keylens: it is not "
        "built or not installed",
        program));
  }
  execv(path->c_str(), argv);
  throw Error(fmt::format("{}: {}", path->string(), std::strerror(errno)));
}

void DeclareElsewhere(CLI::App& app, std::string_view verb) {
  for (const VerbElsewhere& row : kElsewhere) {
    if (row.verb != verb || row.help.empty()) continue;
    CLI::App& parent =
        row.subject.empty() ? app : *app.get_subcommand(std::string(row.verb));
    parent.add_subcommand(
        std::string(row.subject.empty() ? row.verb : row.subject),
        std::string(row.help));
  }
}

}  // namespace keylens::cli
