#ifndef KEYLENS_SRC_BASE_ERROR_H_
#define KEYLENS_SRC_BASE_ERROR_H_

#include <stdexcept>
#include <string>

namespace keylens {

// A failure that is not a bug: a file, a shape or an option that cannot be
// used.
//
// The message is one line that names the file (or shape, or option) and, where
// there is one, the remedy. The command line prints it as it stands and exits
// with status 1.
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// A call that the command line does not take; exit status 2.
class UsageError : public Error {
 public:
  using Error::Error;
};

// Work that a signal (Ctrl-C) ended early, as it was asked to; the command line
// exits with 128 and the signal's number, as shells do.
class Interrupted : public Error {
 public:
  Interrupted(const std::string& message, int signal)
      : Error(message), signal_(signal) {}

  int signal() const { return signal_; }

 private:
  int signal_;
};

}  // namespace keylens

#endif  // KEYLENS_SRC_BASE_ERROR_H_
