#include "src/parallel/stop_on_signals.h"

#include <stdexcept>
#include <utility>

namespace keylens {
namespace {

std::atomic<StopSource*> asked = nullptr;
volatile std::sig_atomic_t last_signal = 0;

void Ask(int signal) {
  last_signal = signal;
  if (StopSource* source = asked.load()) source->RequestStop();
}

}  // namespace

StopOnSignals::StopOnSignals(StopSource source) : source_(std::move(source)) {
  StopSource* none = nullptr;
  if (!asked.compare_exchange_strong(none, &source_))
    throw std::logic_error("StopOnSignals: there is one already");
  last_signal = 0;
  struct sigaction action = {};
  action.sa_handler = Ask;
  action.sa_flags = static_cast<int>(SA_RESETHAND | SA_RESTART);
  for (std::size_t i = 0; i < kSignals.size(); ++i) {
    sigaction(kSignals[i], nullptr, &before_[i]);
    if (before_[i].sa_handler != SIG_IGN)
      sigaction(kSignals[i], &action, nullptr);
  }
}

StopOnSignals::~StopOnSignals() {
  for (std::size_t i = 0; i < kSignals.size(); ++i)
    sigaction(kSignals[i], &before_[i], nullptr);
  asked = nullptr;
}

int StopOnSignals::signal() const { return last_signal; }

}  // namespace keylens
