#ifndef KEYLENS_SRC_PARALLEL_CORES_H_
#define KEYLENS_SRC_PARALLEL_CORES_H_

namespace keylens {

// The cores that this process may run on, at least 1: what "0 threads" means
// everywhere. Asked anew on each call, since a process may be bound to fewer
// while it runs.
int AvailableCores();

}  // namespace keylens

#endif  // KEYLENS_SRC_PARALLEL_CORES_H_
