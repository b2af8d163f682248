#ifndef KEYLENS_SRC_TRAIN_WORKERS_H_
#define KEYLENS_SRC_TRAIN_WORKERS_H_

#include <functional>

#include "src/nn/torch_pool.h"

namespace keylens::train {

// A TorchPool, for callers that want each worker to run once.
class Workers {
 public:
  explicit Workers(int count) : pool_(nn::TorchPool(count)) {}

  int count() const { return pool_.size(); }

  // Runs work(worker) for every worker and waits for all.
  void Run(const std::function<void(int)>& work) {
    ForEach(pool_, count(), [&](int64_t i) { work(static_cast<int>(i)); });
  }

 private:
  ThreadPool pool_;
};

}  // namespace keylens::train

#endif  // KEYLENS_SRC_TRAIN_WORKERS_H_
