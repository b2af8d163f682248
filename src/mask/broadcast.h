#ifndef KEYLENS_SRC_MASK_BROADCAST_H_
#define KEYLENS_SRC_MASK_BROADCAST_H_

#include <keylens/mask.h>
#include <keylens/tensor_view.h>

#include <array>
#include <cstdint>
#include <stdexcept>
#include <string>

// What a dense mask and an additive bias share: a view of caller's memory with
// the axes of the score tensor, some of them broadcast.

namespace keylens {

// The same view with stride 0 on every axis of length 1, so that any index may
// be used on it. Throws std::invalid_argument, starting with `function`, where
// the view has elements but no data.
template <typename T>
TensorView<const T, 4> BroadcastAxes(const char* function,
                                     TensorView<const T, 4> view) {
  bool has_elements = true;
  for (int axis = 0; axis < 4; ++axis) {
    has_elements = has_elements && view.shape[axis] > 0;
    if (view.shape[axis] == 1) view.strides[axis] = 0;
  }
  if (has_elements && view.data == nullptr) {
    throw std::invalid_argument(std::string(function) + ": data is null");
  }
  return view;
}

// Why a view of that shape, called `name` by the user, cannot be broadcast to
// the scores; empty when it can.
std::string BroadcastMisfit(const char* name,
                            const std::array<int64_t, 4>& shape,
                            const ScoreShape& scores);

// The element of `view` for the first query and key of a tile.
template <typename T>
const T* TileOrigin(const TensorView<const T, 4>& view,
                    const TileCoord& coord) {
  return view.data + coord.batch * view.strides[0] +
         coord.head * view.strides[1] + coord.first_query * view.strides[2] +
         coord.first_key * view.strides[3];
}

}  // namespace keylens

#endif  // KEYLENS_SRC_MASK_BROADCAST_H_
