#ifndef KEYLENS_SRC_C_API_TENSORS_H_
#define KEYLENS_SRC_C_API_TENSORS_H_

#include <keylens/keylens.h>
#include <keylens/small_float.h>
#include <keylens/tensor_view.h>

#include <string>

#include "src/c_api/boundary.h"

// C tensors as views.

namespace keylens::c_api {

// A tensor that must be there, of rank kRank. `name` is what the caller knows
// it as.
template <typename T, int kRank>
TensorView<T, kRank> ToView(const char* name, const keylens_tensor& tensor) {
  if (tensor.rank != kRank) {
    throw InvalidCall(std::string(name) + " has rank " +
                      std::to_string(tensor.rank) + ", expected " +
                      std::to_string(kRank));
  }
  TensorView<T, kRank> view;
  view.data = static_cast<T*>(tensor.data);
  for (std::size_t axis = 0; axis < kRank; ++axis) {
    view.shape[axis] = tensor.shape[axis];
    view.strides[axis] = tensor.strides[axis];
  }
  return view;
}

// A tensor that may be left out.
template <typename T, int kRank>
TensorView<T, kRank> ToOptionalView(const char* name,
                                    const keylens_tensor& tensor) {
  if (tensor.data == nullptr && tensor.rank == 0) return {};
  return ToView<T, kRank>(name, tensor);
}

// Calls body(T()) for the element type of a call.
template <typename Body>
void WithElement(keylens_element element, Body&& body) {
  switch (element) {
    case KEYLENS_FLOAT32:
      return body(float());
    case KEYLENS_BFLOAT16:
      return body(BFloat16());
    case KEYLENS_FLOAT16:
      return body(Float16());
    default:
      throw InvalidCall("element " + std::to_string(element) +
                        " is not KEYLENS_FLOAT32, KEYLENS_BFLOAT16 or "
                        "KEYLENS_FLOAT16");
  }
}

}  // namespace keylens::c_api

#endif  // KEYLENS_SRC_C_API_TENSORS_H_
