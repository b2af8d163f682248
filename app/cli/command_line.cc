#include "app/cli/command_line.h"

#include <exception>
#include <iostream>
#include <new>
#include <string>

#include "app/cli/option_checks.h"
#include "src/base/error.h"

namespace keylens::cli {
namespace {

constexpr int kFailure = 1;
constexpr int kWrongUsage = 2;
constexpr int kSignalled = 128;

// A message of CLI11 or of a library as one line.
std::string OneLine(std::string message) {
  message.erase(message.find_last_not_of('\n') + 1);
  return message.substr(0, message.find('\n'));
}

// "keylens generate" while that verb is the one that was asked for.
std::string CommandName(const CLI::App& app) {
  for (const CLI::App* verb : app.get_subcommands())
    return app.get_name() + " " + CommandName(*verb);
  return app.get_name();
}

int Fail(const CLI::App& app, const std::string& message, int status) {
  std::cout.flush();
  std::cerr << CommandName(app) << ": " << OneLine(message) << '\n';
  return status;
}

// CLI11 would only say that a verb is required.
void CheckVerb(const CLI::App& app, int argc, char** argv) {
  if (argc < 2 || argv[1][0] == '-') return;
  const auto named = [&](const CLI::App* verb) {
    return verb->get_name() == argv[1];
  };
  if (app.get_subcommands(named).empty())
    throw UsageError(std::string("there is no verb ") + argv[1] +
                     " (see --help)");
}

}  // namespace

void SetUpApp(CLI::App& app) {
  app.require_subcommand(1);
  app.set_version_flag("--version", "keylens " KEYLENS_VERSION);
  app.failure_message(CLI::FailureMessage::simple);
}

int RunApp(CLI::App& app, int argc, char** argv, const BeforeParsing& before) {
  try {
    CheckVerb(app, argc, argv);
    if (before) before(argc, argv);
    TightenNumberChecks(app);
    app.parse(argc, argv);
    std::cout.flush();
    if (!std::cout)
      return Fail(app, "standard output cannot be written", kFailure);
    return 0;
  } catch (const CLI::Success& request) {  // --help, --version
    return app.exit(request);
  } catch (const CLI::ParseError& error) {
    return Fail(app, std::string(error.what()) + " (see --help)", kWrongUsage);
  } catch (const UsageError& error) {
    return Fail(app, error.what(), kWrongUsage);
  } catch (const Interrupted& error) {
    return Fail(app, error.what(), kSignalled + error.signal());
  } catch (const std::bad_alloc&) {
    return Fail(app, "not enough memory", kFailure);
  } catch (const std::exception& error) {
    return Fail(app, error.what(), kFailure);
  }
}

}  // namespace keylens::cli
