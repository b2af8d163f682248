#include "src/parallel/cores.h"

#include <algorithm>
#include <thread>

#if defined(__linux__)
#include <sched.h>
#endif

namespace keylens {

int AvailableCores() {
#if defined(__linux__)
  cpu_set_t cores;
  CPU_ZERO(&cores);
  // Fails on machines with more cores than a cpu_set_t holds, 1024.
  if (sched_getaffinity(0, sizeof(cores), &cores) == 0)
    return std::max(1, CPU_COUNT(&cores));
#endif
  return static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
}

}  // namespace keylens
