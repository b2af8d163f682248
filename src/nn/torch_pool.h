#ifndef KEYLENS_SRC_NN_TORCH_POOL_H_
#define KEYLENS_SRC_NN_TORCH_POOL_H_

#include "src/parallel/thread_pool.h"

namespace keylens::nn {

// Tells torch to use one thread in the calling thread, and in no other:
// at::set_num_threads would tell it to all that begin later.
void UseOneTorchThread();

// UseOneTorchThread while one of these lives; then the calling thread has the
// number that it had.
class OneTorchThread {
 public:
  OneTorchThread();
  ~OneTorchThread();
  OneTorchThread(const OneTorchThread&) = delete;
  OneTorchThread& operator=(const OneTorchThread&) = delete;

 private:
  int before_;
};

// A pool of `size` threads (0: one for each core), each with one intra-op
// thread of torch: the small operations of a small model gain more from two
// independent halves of a batch than from two threads inside each operation.
// The caller's thread waits, and keeps the number of threads that it has.
ThreadPool TorchPool(int size);

}  // namespace keylens::nn

#endif  // KEYLENS_SRC_NN_TORCH_POOL_H_
