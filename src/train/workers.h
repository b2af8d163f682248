#ifndef KEYLENS_SRC_TRAIN_WORKERS_H_
#define KEYLENS_SRC_TRAIN_WORKERS_H_

#include <barrier>
#include <exception>
#include <functional>
#include <thread>
#include <vector>

namespace keylens::train {

// Threads that do the parts of a step side by side, each with one intra-op
// thread of torch: the small operations of a small model gain more from two
// independent halves of a batch than from two threads inside each operation.
class Workers {
 public:
  // `count` >= 1. The calling thread is worker 0, and keeps one intra-op thread
  // from here on.
  explicit Workers(int count);
  ~Workers();
  Workers(const Workers&) = delete;
  Workers& operator=(const Workers&) = delete;

  int count() const { return static_cast<int>(errors_.size()); }

  // Runs work(worker) for every worker and waits for all. Throws what the first
  // of them threw.
  void Run(const std::function<void(int)>& work);

 private:
  void Loop(int worker);
  void Guarded(int worker);

  std::vector<std::exception_ptr> errors_;
  std::barrier<> start_;
  std::barrier<> finish_;
  const std::function<void(int)>* work_ = nullptr;  // null: the end
  std::vector<std::thread> threads_;
};

}  // namespace keylens::train

#endif  // KEYLENS_SRC_TRAIN_WORKERS_H_
