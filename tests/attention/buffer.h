#ifndef KEYLENS_TESTS_ATTENTION_BUFFER_H_
#define KEYLENS_TESTS_ATTENTION_BUFFER_H_

#include <keylens/tensor_view.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <numeric>
#include <random>
#include <type_traits>
#include <valarray>
#include <vector>

namespace keylens {

// How the elements of a tensor lie in memory.
template <int kRank>
struct Layout {
  std::array<int, kRank> order = Identity();  // axes, outermost first
  std::array<int64_t, kRank> gap{};           // elements left unused per step
  std::array<bool, kRank> reversed{};         // walked by a negative stride
  std::array<bool, kRank> repeated{};         // all in one place, by stride 0
  int64_t offset = 0;          // unused elements before the first; 1 and 3
                               // leave no vector aligned
  int64_t stride_of_unit = 0;  // stride to give axes of length 1; 0: usual

  static std::array<int, kRank> Identity() {
    std::array<int, kRank> order;
    std::iota(order.begin(), order.end(), 0);
    return order;
  }
};

// Any order of the axes, gaps, directions and alignment.
template <int kRank>
Layout<kRank> RandomLayout(std::mt19937_64& random) {
  Layout<kRank> layout;
  std::shuffle(layout.order.begin(), layout.order.end(), random);
  for (int axis = 0; axis < kRank; ++axis) {
    layout.gap[axis] = random() % 2 ? 0 : random() % 4;
    layout.reversed[axis] = random() % 3 == 0;
  }
  layout.offset = random() % 5;
  layout.stride_of_unit = random() % 2 ? -1'000'003 : 77'777;
  return layout;
}

// [b, i, h, d] in memory, as a linear layer leaves its result.
inline Layout<4> LenBeforeHeads() {
  Layout<4> layout;
  layout.order = {0, 2, 1, 3};
  return layout;
}

// [b, h, d, i] in memory: a feature map whose positions are innermost.
inline Layout<4> ChannelsFirst() {
  Layout<4> layout;
  layout.order = {0, 1, 3, 2};
  return layout;
}

// Calls visit(index) for every index of the shape, the last axis fastest.
template <int kRank, typename Visit>
void ForEachIndex(const std::array<int64_t, kRank>& shape, Visit visit) {
  for (const int64_t length : shape) {
    if (length == 0) return;
  }
  std::array<int64_t, kRank> index{};
  while (true) {
    visit(index);
    int axis = kRank - 1;
    while (axis >= 0 && ++index[axis] == shape[axis]) index[axis--] = 0;
    if (axis < 0) return;
  }
}

template <typename T, int kRank>
int64_t OffsetOf(
    const TensorView<T, kRank>& view,
    const std::type_identity_t<std::array<int64_t, kRank>>& index) {
  int64_t offset = 0;
  for (int axis = 0; axis < kRank; ++axis) {
    offset += index[axis] * view.strides[axis];
  }
  return offset;
}

// The elements of a view, row-major.
template <typename T, int kRank>
auto Values(const TensorView<T, kRank>& view) {
  std::vector<std::remove_const_t<T>> values;
  ForEachIndex<kRank>(view.shape, [&](const auto& index) {
    values.push_back(view.data[OffsetOf(view, index)]);
  });
  return values;
}

// A tensor that owns its memory, in any layout. Memory that is not part of the
// tensor holds a pattern, which for float is a NaN: what reads it is poisoned,
// what writes it is found out.
template <typename T, int kRank>
class Buffer {
 public:
  explicit Buffer(const std::array<int64_t, kRank>& shape,
                  const Layout<kRank>& layout = {}) {
    view_.shape = shape;
    int64_t extent = 1;
    int64_t first = layout.offset;
    for (int place = kRank - 1; place >= 0; --place) {
      const int axis = layout.order[place];
      const int64_t stride = extent + layout.gap[axis];
      if (layout.repeated[axis]) continue;
      const int64_t length = std::max<int64_t>(shape[axis], 1);
      extent = stride * length;
      view_.strides[axis] = layout.reversed[axis] ? -stride : stride;
      if (layout.reversed[axis]) first += stride * (length - 1);
      if (shape[axis] == 1 && layout.stride_of_unit != 0) {
        view_.strides[axis] = layout.stride_of_unit;
      }
    }
    memory_ = std::valarray<T>(Pattern(), layout.offset + extent + 1);
    first_ = first;
  }

  // The view stays right when the buffer is moved or copied.
  TensorView<T, kRank> view() {
    TensorView<T, kRank> view = view_;
    view.data = &memory_[0] + first_;
    return view;
  }
  TensorView<const T, kRank> view() const {
    return {&memory_[0] + first_, view_.shape, view_.strides};
  }

  T& operator()(const std::array<int64_t, kRank>& index) {
    return memory_[first_ + OffsetOf(view_, index)];
  }

  std::vector<T> Values() const { return keylens::Values(view()); }

  // Sets the elements, row-major, to the results of `next`; the last of those
  // in one place stays.
  template <typename Next>
  void Fill(Next next) {
    ForEachIndex<kRank>(view_.shape,
                        [&](const auto& index) { (*this)(index) = next(); });
  }

  // Whether the memory between the elements holds what it held at first.
  bool PaddingIsUntouched() const {
    std::vector<bool> is_element(memory_.size(), false);
    ForEachIndex<kRank>(view_.shape, [&](const auto& index) {
      is_element[first_ + OffsetOf(view_, index)] = true;
    });
    const T pattern = Pattern();
    for (std::size_t i = 0; i < memory_.size(); ++i) {
      if (!is_element[i] &&
          std::memcmp(&memory_[i], &pattern, sizeof(T)) != 0) {
        return false;
      }
    }
    return true;
  }

 private:
  static T Pattern() {
    if constexpr (std::is_same_v<T, bool>) return true;
    T pattern{};
    constexpr unsigned char kBytes[8] = {0xad, 0xde, 0xc1, 0x7f,
                                         0xad, 0xde, 0xf9, 0x7f};
    std::memcpy(&pattern, kBytes, sizeof(T));
    return pattern;
  }

  TensorView<T, kRank> view_;
  std::valarray<T> memory_;  // unlike a vector, of real bools
  int64_t first_ = 0;
};

}  // namespace keylens

#endif  // KEYLENS_TESTS_ATTENTION_BUFFER_H_
