// Random calls of the whole engine against the oracle, and against each other,
// for as long as wanted:
//
//   differential_fuzz [--seconds S] [--cases N] [--seed R] [--first N]
//
// Case n of seed R is the same on any machine with the same instruction sets.
// The first failure ends the run, with the command that repeats that case.

#include <gtest/gtest.h>
#include <hwy/targets.h>

#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "tests/attention/element.h"
#include "tests/attention/fuzz_kinds.h"
#include "tests/attention/random_call.h"

namespace keylens {
namespace {

// 0: no limit.
struct FuzzOptions {
  int64_t seconds = 60;
  int64_t cases = 0;
  int64_t seed = 1;
  int64_t first = 0;
};

struct Kind {
  const char* name;
  void (*run)(std::mt19937_64& random);
};

// A few kinds of several cases each, plain calls the most.
Kind KindOf(std::mt19937_64& random) {
  switch (Below(random, 8)) {
    case 0:
      return {"packed sequences", FuzzPacked};
    case 1:
      return {"cache", FuzzCache};
    case 2:
      return {"merge", FuzzMerge};
    default:
      return {"call", FuzzCall};
  }
}

FuzzOptions options;  // of the command line
int64_t index = 0;    // of the case that runs

void PrintCommand() {
  std::cerr << "repeat with: differential_fuzz --seed " << options.seed
            << " --first " << index << " --cases 1\n";
}

// Says it on the way down, too.
void OnCrash(int signal) {
  PrintCommand();
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

// Returns what kind of case it was.
std::string RunCase() {
  std::seed_seq seeds = {static_cast<uint64_t>(options.seed),
                         static_cast<uint64_t>(index)};
  std::mt19937_64 random(seeds);
  hwy::SetSupportedTargetsForTest(0);  // all that the machine has
  const std::vector<int64_t> targets = hwy::SupportedAndGeneratedTargets();
  const int64_t target = targets[random() % targets.size()];
  const Element element = kElements[Below(random, 3)];
  const Kind kind = KindOf(random);
  const std::string name = std::string(kind.name) + ", " +
                           ElementName(element) + ", " +
                           hwy::TargetName(target);
  SCOPED_TRACE(::testing::Message() << "case " << index << ": " << name);
  hwy::SetSupportedTargetsForTest(target);
  const ChosenElement chosen(element);
  EXPECT_NO_THROW(kind.run(random));
  return name;
}

TEST(DifferentialFuzz, EveryCaseMatches) {
  using Clock = std::chrono::steady_clock;
  const auto end = Clock::now() + std::chrono::seconds(options.seconds);
  std::map<std::string, int64_t> counts;
  for (index = options.first;
       options.cases == 0 || index < options.first + options.cases; ++index) {
    if (options.seconds > 0 && Clock::now() >= end) break;
    ++counts[RunCase()];
    if (HasFailure()) return PrintCommand();
  }
  std::cout << "seed " << options.seed << ", cases " << options.first << " to "
            << index - 1 << "\n";
  for (const auto& [name, count] : counts) {
    std::cout << count << "  " << name << "\n";
  }
  // Continuous integration lists such lines.
  const int64_t left = options.first + options.cases - index;
  if (left > 0) {
    std::cout << "skipped: " << left << " of " << options.cases
              << " cases of differential_fuzz: " << options.seconds
              << " seconds were over\n";
  }
}

// The value of an option; exits where it is none or negative.
int64_t ValueOf(const std::string& name, const char* text) {
  char* end = nullptr;
  const int64_t value = text == nullptr ? -1 : std::strtoll(text, &end, 10);
  if (value >= 0 && *end == '\0') return value;
  std::cerr << "differential_fuzz: " << name << " wants a number, 0 or more\n";
  std::exit(2);
}

void ParseOptions(int argc, char** argv) {
  std::map<std::string, int64_t*> values = {{"--seconds", &options.seconds},
                                            {"--cases", &options.cases},
                                            {"--seed", &options.seed},
                                            {"--first", &options.first}};
  for (int i = 1; i < argc; i += 2) {
    const auto value = values.find(argv[i]);
    if (value == values.end()) {
      std::cerr << "usage: differential_fuzz [--seconds S] [--cases N] "
                   "[--seed R] [--first N]\n";
      std::exit(2);
    }
    *value->second = ValueOf(argv[i], argv[i + 1]);
  }
}

}  // namespace
}  // namespace keylens

int main(int argc, char** argv) {
  ::testing::InitGoogleTest(&argc, argv);
  keylens::ParseOptions(argc, argv);
  for (const int signal : {SIGABRT, SIGFPE, SIGILL, SIGSEGV}) {
    std::signal(signal, keylens::OnCrash);
  }
  return RUN_ALL_TESTS();
}
