#include "app/cli/input_failures.h"

#include <fmt/format.h>

#include <iostream>
#include <utility>

namespace keylens::cli {

InputFailures::InputFailures(std::string command, std::string inputs,
                             std::size_t count)
    : command_(std::move(command)), inputs_(std::move(inputs)), count_(count) {}

void InputFailures::Add(const Error& error) {
  ++failed_;
  last_ = error.what();
  if (count_ == 1) return;
  std::cout.flush();  // in the order of the inputs, where both go to a terminal
  std::cerr << fmt::format("{}: {}\n", command_, last_);
}

void InputFailures::Finish() const {
  if (failed_ == 0) return;
  if (count_ == 1) throw Error(last_);
  throw Error(fmt::format("{} of {} {} could not be used, see above", failed_,
                          count_, inputs_));
}

}  // namespace keylens::cli
