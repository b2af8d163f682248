#include "src/train/interrupt.h"

namespace keylens::train {
namespace {

volatile std::sig_atomic_t interrupted = 0;

void Raise(int /*signal*/) { interrupted = 1; }

}  // namespace

InterruptFlag::InterruptFlag() {
  interrupted = 0;
  struct sigaction action = {};
  action.sa_handler = Raise;
  action.sa_flags = static_cast<int>(SA_RESETHAND | SA_RESTART);
  sigaction(SIGINT, &action, &old_interrupt_);
  sigaction(SIGTERM, &action, &old_terminate_);
}

InterruptFlag::~InterruptFlag() {
  sigaction(SIGINT, &old_interrupt_, nullptr);
  sigaction(SIGTERM, &old_terminate_, nullptr);
}

bool InterruptFlag::raised() const { return interrupted != 0; }

}  // namespace keylens::train
