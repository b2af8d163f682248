#include "systems/translator/search/parallel_for.h"

#include <atomic>
#include <exception>
#include <thread>
#include <vector>

namespace keylens::translator {

void ParallelFor(std::size_t count, int threads,
                 const std::function<void(std::size_t)>& work) {
  std::atomic<std::size_t> next = 0;
  std::vector<std::exception_ptr> errors(static_cast<std::size_t>(threads));
  const auto loop = [&](std::exception_ptr& error) {
    try {
      for (std::size_t i = next++; i < count; i = next++) work(i);
    } catch (...) {
      error = std::current_exception();
      next = count;
    }
  };
  {
    std::vector<std::jthread> others;
    for (std::size_t i = 1; i < errors.size(); ++i)
      others.emplace_back([&, i] { loop(errors[i]); });
    loop(errors[0]);
  }
  for (const std::exception_ptr& error : errors)
    if (error) std::rethrow_exception(error);
}

}  // namespace keylens::translator
