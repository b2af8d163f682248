#ifndef KEYLENS_TENSOR_VIEW_H_
#define KEYLENS_TENSOR_VIEW_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace keylens {

// A window on memory that somebody else owns.
//
// Strides count elements, not bytes. Stride 0 broadcasts an axis; a negative
// stride walks it backwards, with `data` at the element whose indices are all
// 0. The view says nothing about alignment.
template <typename T, int kRank>
struct TensorView {
  T* data = nullptr;
  std::array<int64_t, kRank> shape{};
  std::array<int64_t, kRank> strides{};

  // A view for writing is also a view for reading.
  // NOLINTNEXTLINE(google-explicit-constructor): as T* is a const T*
  operator TensorView<const T, kRank>() const requires(!std::is_const_v<T>) {
    return {data, shape, strides};
  }
};

// The view of a dense row-major buffer: Contiguous(p, {batch, heads, len,
// dim}).
template <typename T, std::size_t kRank>
TensorView<T, static_cast<int>(kRank)> Contiguous(
    T* data, const int64_t (&shape)[kRank]) {
  TensorView<T, static_cast<int>(kRank)> view;
  view.data = data;
  int64_t stride = 1;
  for (std::size_t axis = kRank; axis-- > 0;) {
    view.shape[axis] = shape[axis];
    view.strides[axis] = stride;
    stride *= shape[axis];
  }
  return view;
}

// The indices [begin, end). An `end` of kToTheEnd stands for the length of the
// axis it is used on.
struct IndexRange {
  static constexpr int64_t kToTheEnd = -1;

  int64_t begin = 0;
  int64_t end = kToTheEnd;
};

}  // namespace keylens

#endif  // KEYLENS_TENSOR_VIEW_H_
