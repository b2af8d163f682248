#include "src/train/workers.h"

#include <torch/torch.h>

#include <stdexcept>

namespace keylens::train {
namespace {

std::size_t Checked(int count) {
  if (count < 1) throw std::invalid_argument("Workers: count is below 1");
  return static_cast<std::size_t>(count);
}

}  // namespace

Workers::Workers(int count)
    : errors_(Checked(count)), start_(count), finish_(count) {
  at::set_num_threads(1);
  for (int worker = 1; worker < count; ++worker) {
    threads_.emplace_back([this, worker] { Loop(worker); });
  }
}

Workers::~Workers() {
  work_ = nullptr;
  start_.arrive_and_wait();
  for (std::thread& thread : threads_) thread.join();
}

void Workers::Run(const std::function<void(int)>& work) {
  work_ = &work;
  start_.arrive_and_wait();
  Guarded(0);
  finish_.arrive_and_wait();
  for (const std::exception_ptr& error : errors_) {
    if (error) std::rethrow_exception(error);
  }
}

void Workers::Loop(int worker) {
  at::set_num_threads(1);
  while (true) {
    start_.arrive_and_wait();
    if (work_ == nullptr) return;
    Guarded(worker);
    finish_.arrive_and_wait();
  }
}

void Workers::Guarded(int worker) {
  errors_[worker] = nullptr;
  try {
    (*work_)(worker);
  } catch (...) {
    errors_[worker] = std::current_exception();
  }
}

}  // namespace keylens::train
