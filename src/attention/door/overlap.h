#ifndef KEYLENS_SRC_ATTENTION_DOOR_OVERLAP_H_
#define KEYLENS_SRC_ATTENTION_DOOR_OVERLAP_H_

#include <keylens/tensor_view.h>

#include <cstdint>
#include <vector>

namespace keylens::internal {

// The bytes that a view can reach: an address for each combination of indices,
// and element_bytes from it.
struct Footprint {
  struct Axis {
    int64_t length;
    int64_t stride;  // in bytes
  };

  std::intptr_t address = 0;
  int64_t element_bytes = 0;
  std::vector<Axis> axes;
  bool empty = true;  // no elements, or no data
};

template <typename T, int kRank>
Footprint FootprintOf(const TensorView<T, kRank>& view) {
  Footprint footprint;
  footprint.address = reinterpret_cast<std::intptr_t>(view.data);
  footprint.element_bytes = sizeof(T);
  footprint.empty = view.data == nullptr;
  for (std::size_t axis = 0; axis < kRank; ++axis) {
    footprint.axes.push_back(
        {view.shape[axis],
         view.strides[axis] * static_cast<int64_t>(sizeof(T))});
    footprint.empty = footprint.empty || view.shape[axis] == 0;
  }
  return footprint;
}

// Whether two views share a byte. Exact for views that lie between each other's
// elements, such as the parts of a packed query-key-value tensor; for strides
// so odd that the question would take long, the answer is yes.
bool Overlap(const Footprint& a, const Footprint& b);

// Whether two indices of a view that differ name the same element because an
// axis has stride 0.
bool RepeatsElements(const Footprint& footprint);

}  // namespace keylens::internal

#endif  // KEYLENS_SRC_ATTENTION_DOOR_OVERLAP_H_
