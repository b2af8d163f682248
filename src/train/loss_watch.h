#ifndef KEYLENS_SRC_TRAIN_LOSS_WATCH_H_
#define KEYLENS_SRC_TRAIN_LOSS_WATCH_H_

#include <cmath>
#include <optional>

namespace keylens::train {

// Tells by its losses whether a run has lost what it had learnt.
class LossWatch {
 public:
  // `first` is the first loss of the run: what a model that knows nothing has.
  // None: the first that Take sees.
  explicit LossWatch(std::optional<double> first = {}) : first_(first) {}

  void Take(double loss) {
    if (!first_ && std::isfinite(loss) && loss > 0) first_ = loss;
    last_ = loss;
  }

  // Whether weights with this loss are worth keeping: it is finite, and not so
  // far above the first that no sane step can have led there. A diverging model
  // passes through losses of a million times the first before one overflows.
  bool IsGood(double loss) const {
    return std::isfinite(loss) && (!first_ || loss <= kFarAbove * *first_);
  }
  bool good() const { return IsGood(last_); }

  std::optional<double> first() const { return first_; }

 private:
  // Losses of small batches differ by a factor of ten.
  static constexpr double kFarAbove = 20;

  std::optional<double> first_;
  double last_ = 0;
};

}  // namespace keylens::train

#endif  // KEYLENS_SRC_TRAIN_LOSS_WATCH_H_
