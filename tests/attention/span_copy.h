#ifndef KEYLENS_TESTS_ATTENTION_SPAN_COPY_H_
#define KEYLENS_TESTS_ATTENTION_SPAN_COPY_H_

#include <keylens/tensor_view.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "tests/attention/buffer.h"

namespace keylens {

// Tensors of floats as tensors of another element type: copies of all memory
// from a view's first element to its last, with the same strides. A view
// without data or elements stays one. For floats, the tensors themselves.
template <typename T, int kRank>
class InputCopy {
 public:
  explicit InputCopy(const TensorView<const float, kRank>& from)
      : shape_(from.shape), strides_(from.strides) {
    const bool is_empty =
        std::any_of(shape_.begin(), shape_.end(),
                    [](int64_t length) { return length <= 0; });
    if (from.data == nullptr || is_empty) return;
    int64_t last = 0;
    for (int axis = 0; axis < kRank; ++axis) {
      const int64_t reach = strides_[axis] * (shape_[axis] - 1);
      (reach < 0 ? first_ : last) += reach;
    }
    for (int64_t i = first_; i <= last; ++i) memory_.push_back(T(from.data[i]));
  }

  TensorView<T, kRank> view() {
    return {memory_.empty() ? nullptr : memory_.data() - first_, shape_,
            strides_};
  }

 protected:
  std::array<int64_t, kRank> shape_;
  std::array<int64_t, kRank> strides_;
  int64_t first_ = 0;  // offset of the first place in memory, at most 0
  std::vector<T> memory_;
};

template <int kRank>
class InputCopy<float, kRank> {
 public:
  explicit InputCopy(const TensorView<const float, kRank>& from)
      : view_(from) {}
  TensorView<const float, kRank> view() const { return view_; }

 private:
  TensorView<const float, kRank> view_;
};

template <typename T>
class OutputCopy : public InputCopy<T, 4> {
 public:
  explicit OutputCopy(const TensorView<float, 4>& to)
      : InputCopy<T, 4>(to), to_(to), before_(this->memory_) {}

  // Gives the elements back, and what else was changed.
  void WriteBack() const {
    const std::vector<T>& memory = this->memory_;
    if (memory.empty()) return;
    for (std::size_t i = 0; i < memory.size(); ++i) {
      if (memory[i].bits == before_[i].bits) continue;
      to_.data[this->first_ + static_cast<int64_t>(i)] =
          static_cast<float>(memory[i]);
    }
    ForEachIndex<4>(to_.shape, [&](const auto& index) {
      const int64_t offset = OffsetOf(to_, index);
      to_.data[offset] = static_cast<float>(memory[offset - this->first_]);
    });
  }

 private:
  TensorView<float, 4> to_;
  std::vector<T> before_;
};

template <>
class OutputCopy<float> {
 public:
  explicit OutputCopy(const TensorView<float, 4>& to) : to_(to) {}
  TensorView<float, 4> view() const { return to_; }
  void WriteBack() const {}

 private:
  TensorView<float, 4> to_;
};

}  // namespace keylens

#endif  // KEYLENS_TESTS_ATTENTION_SPAN_COPY_H_
