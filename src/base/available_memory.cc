#include "src/base/available_memory.h"

#include <algorithm>
#include <fstream>
#include <limits>
#include <string>

namespace keylens {
namespace {

constexpr double kUnknown = std::numeric_limits<double>::infinity();

// "MemAvailable:   12345 kB"
double OfMachine() {
  std::ifstream lines("/proc/meminfo");
  std::string name;
  double kilobytes = 0;
  for (std::string line; lines >> name >> kilobytes; std::getline(lines, line))
    if (name == "MemAvailable:") return 1024 * kilobytes;
  return kUnknown;
}

// Its number, "max" where there is no limit.
double NumberIn(const char* path) {
  double number = 0;
  return std::ifstream(path) >> number ? number : kUnknown;
}

double OfGroup() {
  const double most = NumberIn("/sys/fs/cgroup/memory.max");
  const double taken = NumberIn("/sys/fs/cgroup/memory.current");
  return most == kUnknown || taken == kUnknown ? kUnknown : most - taken;
}

}  // namespace

double AvailableMemory() { return std::min(OfMachine(), OfGroup()); }

}  // namespace keylens
