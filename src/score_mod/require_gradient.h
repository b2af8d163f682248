#ifndef KEYLENS_SRC_SCORE_MOD_REQUIRE_GRADIENT_H_
#define KEYLENS_SRC_SCORE_MOD_REQUIRE_GRADIENT_H_

#include <keylens/tensor_view.h>

#include <array>
#include <cstdint>
#include <stdexcept>
#include <string>

namespace keylens {

// Throws std::invalid_argument, starting with `function`, unless `gradient` can
// hold the gradient by `name`, which has that shape.
template <std::size_t kRank>
void RequireGradientOf(
    const char* function, const char* name,
    const std::array<int64_t, kRank>& shape,
    const TensorView<float, static_cast<int>(kRank)>& gradient) {
  const auto fail = [&](const std::string& what) {
    throw std::invalid_argument(std::string(function) + ": the gradient by " +
                                name + " " + what);
  };
  bool has_elements = true;
  for (std::size_t axis = 0; axis < kRank; ++axis) {
    if (gradient.shape[axis] != shape[axis]) {
      fail("has length " + std::to_string(gradient.shape[axis]) + " on axis " +
           std::to_string(axis) + ", expected " + std::to_string(shape[axis]));
    }
    if (shape[axis] > 1 && gradient.strides[axis] == 0) {
      fail("has stride 0 on axis " + std::to_string(axis));
    }
    has_elements = has_elements && shape[axis] > 0;
  }
  if (has_elements && gradient.data == nullptr) fail("has null data");
}

}  // namespace keylens

#endif  // KEYLENS_SRC_SCORE_MOD_REQUIRE_GRADIENT_H_
