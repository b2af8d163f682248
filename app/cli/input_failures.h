#ifndef KEYLENS_APP_CLI_INPUT_FAILURES_H_
#define KEYLENS_APP_CLI_INPUT_FAILURES_H_

#include <cstddef>
#include <string>

#include "src/base/error.h"

namespace keylens::cli {

// What goes wrong with single inputs of a verb that takes several: it is said
// on standard error when it happens, and the others get their results.
//
//   InputFailures failures("keylens classify", "pictures", paths.size());
//   for (const std::string& path : paths) {
//     try { ... } catch (const Error& error) { failures.Add(error); }
//   }
//   failures.Finish();
class InputFailures {
 public:
  // `inputs`: what they are called, in the plural.
  InputFailures(std::string command, std::string inputs, std::size_t count);

  // Says it, unless it is the only input's: then it is the verb's own failure.
  void Add(const Error& error);

  // Throws Error where there was a failure.
  void Finish() const;

 private:
  std::string command_, inputs_;
  std::size_t count_;
  std::size_t failed_ = 0;
  std::string last_;
};

}  // namespace keylens::cli

#endif  // KEYLENS_APP_CLI_INPUT_FAILURES_H_
