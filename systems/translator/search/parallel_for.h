#ifndef KEYLENS_SYSTEMS_TRANSLATOR_SEARCH_PARALLEL_FOR_H_
#define KEYLENS_SYSTEMS_TRANSLATOR_SEARCH_PARALLEL_FOR_H_

#include <cstddef>
#include <functional>

namespace keylens::translator {

// Calls work(0) to work(count - 1) from `threads` (at least 1) threads, the
// calling one among them, each taking the next that nobody has. Throws what one
// of them threw, once all have ended.
void ParallelFor(std::size_t count, int threads,
                 const std::function<void(std::size_t)>& work);

}  // namespace keylens::translator

#endif  // KEYLENS_SYSTEMS_TRANSLATOR_SEARCH_PARALLEL_FOR_H_
