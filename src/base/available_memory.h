#ifndef KEYLENS_SRC_BASE_AVAILABLE_MEMORY_H_
#define KEYLENS_SRC_BASE_AVAILABLE_MEMORY_H_

namespace keylens {

// About how many bytes this process can still take before the system ends it:
// what the machine has left, or its control group, where that is less. Infinity
// where the system does not say.
double AvailableMemory();

}  // namespace keylens

#endif  // KEYLENS_SRC_BASE_AVAILABLE_MEMORY_H_
