#include "src/nn/strided.h"

#include <algorithm>
#include <numeric>
#include <vector>

namespace keylens::nn {

torch::Tensor EmptyInOrderOf(const torch::Tensor& like, at::IntArrayRef shape) {
  TORCH_INTERNAL_ASSERT(like.dim() == static_cast<int64_t>(shape.size()));
  std::vector<int64_t> outermost_first(shape.size());
  std::iota(outermost_first.begin(), outermost_first.end(), 0);
  std::stable_sort(
      outermost_first.begin(), outermost_first.end(),
      [&](int64_t a, int64_t b) { return like.stride(a) > like.stride(b); });
  std::vector<int64_t> strides(shape.size());
  int64_t stride = 1;
  for (auto axis = outermost_first.rbegin(); axis != outermost_first.rend();
       ++axis) {
    strides[*axis] = stride;
    stride *= std::max<int64_t>(shape[*axis], 1);
  }
  return at::empty_strided(shape, strides, torch::kFloat32);
}

}  // namespace keylens::nn
