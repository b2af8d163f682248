#include "src/nn/torch_pool.h"

#include <torch/torch.h>

#ifdef _OPENMP
#include <omp.h>
#endif

namespace keylens::nn {

void UseOneTorchThread() {
  // Torch sets OpenMP's number at the first call of a thread: before us.
  at::get_num_threads();
#ifdef _OPENMP
  omp_set_num_threads(1);
#endif
}

OneTorchThread::OneTorchThread() : before_(at::get_num_threads()) {
  UseOneTorchThread();
}

OneTorchThread::~OneTorchThread() {
#ifdef _OPENMP
  omp_set_num_threads(before_);
#endif
}

ThreadPool TorchPool(int size) {
  return ThreadPool(size,
                    {.caller_works = false, .on_start = UseOneTorchThread});
}

}  // namespace keylens::nn
