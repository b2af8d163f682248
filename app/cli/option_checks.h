#ifndef KEYLENS_APP_CLI_OPTION_CHECKS_H_
#define KEYLENS_APP_CLI_OPTION_CHECKS_H_

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <cstdint>
#include <limits>

// Checks of options that are numbers. CLI11's own take NaN for a number within
// any range, clip what no int64 holds, and write their limits out with 309
// digits.

namespace keylens::cli {

// A whole number from `least` to `most`, in decimal digits.
CLI::Validator WholeNumber(int64_t least,
                           int64_t most = std::numeric_limits<int64_t>::max());

// A finite number from `least` to `most`.
CLI::Validator NumberWithin(double least, double most);

// A finite number above `bound`, or from it on.
CLI::Validator NumberAbove(double bound);
CLI::Validator NumberFrom(double bound);

// A number that is finite as a float.
CLI::Validator FiniteNumber();

// Goes through the options of a program and its verbs: no number may be NaN or
// infinite, and CLI11's checks for positive and non-negative numbers give way
// to those above, so that no verb has to remember.
void TightenNumberChecks(CLI::App& app);

}  // namespace keylens::cli

#endif  // KEYLENS_APP_CLI_OPTION_CHECKS_H_
