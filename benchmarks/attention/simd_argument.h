#ifndef KEYLENS_BENCHMARKS_ATTENTION_SIMD_ARGUMENT_H_
#define KEYLENS_BENCHMARKS_ATTENTION_SIMD_ARGUMENT_H_

#include <cstdlib>
#include <iostream>
#include <stdexcept>
#include <string_view>
#include <vector>

#include "src/bench/machine_peak.h"

namespace keylens {

// Obeys `--simd=NAME` among a program's arguments, and takes it out.
inline void TakeSimdArgument(std::vector<char*>& arguments) {
  constexpr std::string_view kOption = "--simd=";
  std::erase_if(arguments, [&](const char* argument) {
    const std::string_view text(argument);
    if (!text.starts_with(kOption)) return false;
    try {
      UseInstructionSet(std::string(text.substr(kOption.size())));
    } catch (const std::invalid_argument& error) {
      std::cerr << error.what() << '\n';
      std::exit(2);
    }
    return true;
  });
}

}  // namespace keylens

#endif  // KEYLENS_BENCHMARKS_ATTENTION_SIMD_ARGUMENT_H_
