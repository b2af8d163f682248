#ifndef KEYLENS_SRC_NN_STRIDED_H_
#define KEYLENS_SRC_NN_STRIDED_H_

#include <keylens/tensor_view.h>
#include <torch/torch.h>

namespace keylens::nn {

// The memory of `tensor`, of kRank axes, as the engine sees it. An undefined
// tensor gives a view without data.
template <typename T, int kRank>
TensorView<T, kRank> ViewOf(const torch::Tensor& tensor) {
  TensorView<T, kRank> view;
  if (!tensor.defined()) return view;
  TORCH_INTERNAL_ASSERT(tensor.dim() == kRank);
  view.data = tensor.data_ptr<std::remove_const_t<T>>();
  for (int axis = 0; axis < kRank; ++axis) {
    view.shape[axis] = tensor.size(axis);
    view.strides[axis] = tensor.stride(axis);
  }
  return view;
}

// A new dense float32 tensor of `shape` whose axes lie in memory in the order
// of those of `like`, which has as many: a gradient like its input, an output
// like its query. Uninitialised.
torch::Tensor EmptyInOrderOf(const torch::Tensor& like, at::IntArrayRef shape);

}  // namespace keylens::nn

#endif  // KEYLENS_SRC_NN_STRIDED_H_
