#ifndef KEYLENS_SRC_PARALLEL_STOP_TOKEN_H_
#define KEYLENS_SRC_PARALLEL_STOP_TOKEN_H_

#include <atomic>
#include <memory>
#include <utility>

namespace keylens {

// By which a long call is asked to end early: it looks now and then, finishes
// or drops what it is at, and returns. Copies see the same request. One that is
// made of nothing is never asked.
//
// std::stop_token would do but for one thing: a request for it may not be made
// by a signal handler.
class StopToken {
 public:
  StopToken() = default;

  bool stop_requested() const {
    return requested_ != nullptr && requested_->load(std::memory_order_acquire);
  }

 private:
  friend class StopSource;
  explicit StopToken(std::shared_ptr<const std::atomic<bool>> requested)
      : requested_(std::move(requested)) {}

  std::shared_ptr<const std::atomic<bool>> requested_;
};

// Whose tokens are asked by RequestStop, which any thread may call, and a
// signal handler too. A request cannot be taken back.
class StopSource {
 public:
  StopSource() : requested_(std::make_shared<std::atomic<bool>>(false)) {}

  void RequestStop() noexcept {
    requested_->store(true, std::memory_order_release);
  }
  StopToken token() const { return StopToken(requested_); }

 private:
  static_assert(std::atomic<bool>::is_always_lock_free);

  std::shared_ptr<std::atomic<bool>> requested_;
};

}  // namespace keylens

#endif  // KEYLENS_SRC_PARALLEL_STOP_TOKEN_H_
