#ifndef KEYLENS_APP_CLI_PROGRAMS_H_
#define KEYLENS_APP_CLI_PROGRAMS_H_

#include <CLI/App.hpp>
#include <string_view>

// Which program runs a verb. `keylens` itself loads no torch, which takes
// longer than a translation; verbs that need it run in programs that lie
// beside it (in a build) or in libexec/keylens (installed). A person sees one
// program: `keylens` becomes the other by exec, with the same arguments, so
// that signals, pipes, terminals and exit statuses are the verb's own.

namespace keylens::cli {

// A verb that another program runs.
struct VerbElsewhere {
  std::string_view verb;
  std::string_view subject;  // "generator" of `evaluate generator`; or empty
  std::string_view option;   // only where this is among the arguments; or empty
  std::string_view program;
  std::string_view help;
};

// What other programs the arguments ask for, or null.
const VerbElsewhere* FindElsewhere(int argc, const char* const* argv);

// Becomes `program`. Throws Error where it is not installed or does not start.
[[noreturn]] void BecomeProgram(std::string_view program, char** argv);

// Lists the verb, or those of its subjects that run elsewhere, in the help of
// `app`, which is not to parse them.
void DeclareElsewhere(CLI::App& app, std::string_view verb);

}  // namespace keylens::cli

#endif  // KEYLENS_APP_CLI_PROGRAMS_H_
