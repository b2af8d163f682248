#include "src/c_api/tensors.h"

#include <bit>
#include <span>

namespace {

keylens_tensor Dense(const void* data, std::span<const int64_t> shape) {
  keylens_tensor tensor = {};
  tensor.data = const_cast<void*>(data);
  tensor.rank = static_cast<int32_t>(shape.size());
  int64_t stride = 1;
  for (std::size_t axis = shape.size(); axis-- > 0;) {
    tensor.shape[axis] = shape[axis];
    tensor.strides[axis] = stride;
    stride *= shape[axis];
  }
  return tensor;
}

}  // namespace

extern "C" {

keylens_tensor keylens_dense_1(const void* data, int64_t n0) {
  const int64_t shape[] = {n0};
  return Dense(data, shape);
}

keylens_tensor keylens_dense_2(const void* data, int64_t n0, int64_t n1) {
  const int64_t shape[] = {n0, n1};
  return Dense(data, shape);
}

keylens_tensor keylens_dense_3(const void* data, int64_t n0, int64_t n1,
                               int64_t n2) {
  const int64_t shape[] = {n0, n1, n2};
  return Dense(data, shape);
}

keylens_tensor keylens_dense_4(const void* data, int64_t n0, int64_t n1,
                               int64_t n2, int64_t n3) {
  const int64_t shape[] = {n0, n1, n2, n3};
  return Dense(data, shape);
}

uint16_t keylens_bfloat16_from_float(float value) {
  return keylens::BFloat16(value).bits;
}

float keylens_bfloat16_to_float(uint16_t bits) {
  return static_cast<float>(std::bit_cast<keylens::BFloat16>(bits));
}

uint16_t keylens_float16_from_float(float value) {
  return keylens::Float16(value).bits;
}

float keylens_float16_to_float(uint16_t bits) {
  return static_cast<float>(std::bit_cast<keylens::Float16>(bits));
}

}  // extern "C"
