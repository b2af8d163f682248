// Tensors and 16-bit elements of the C header.

#include <gtest/gtest.h>
#include <keylens/keylens.h>
#include <keylens/small_float.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

namespace keylens {
namespace {

TEST(CTensor, DenseIsRowMajor) {
  float data[1];
  const keylens_tensor four = keylens_dense_4(data, 2, 3, 5, 7);
  EXPECT_EQ(four.data, data);
  EXPECT_EQ(four.rank, 4);
  const int64_t shape[] = {2, 3, 5, 7}, strides[] = {105, 35, 7, 1};
  for (int axis = 0; axis < 4; ++axis) {
    EXPECT_EQ(four.shape[axis], shape[axis]);
    EXPECT_EQ(four.strides[axis], strides[axis]);
  }
  const keylens_tensor three = keylens_dense_3(data, 3, 5, 7);
  EXPECT_EQ(three.rank, 3);
  EXPECT_EQ(three.shape[2], 7);
  EXPECT_EQ(three.strides[0], 35);
  const keylens_tensor two = keylens_dense_2(data, 5, 7);
  EXPECT_EQ(two.rank, 2);
  EXPECT_EQ(two.strides[0], 7);
  const keylens_tensor one = keylens_dense_1(data, 7);
  EXPECT_EQ(one.rank, 1);
  EXPECT_EQ(one.shape[0], 7);
  EXPECT_EQ(one.strides[0], 1);
}

TEST(CSmallFloat, ConvertsAsTheEngineDoes) {
  for (const float value : {0.0f, -1.0f, 1.0f / 3, 65519.0f, 65520.0f, 1e-7f,
                            -3e38f, std::numeric_limits<float>::infinity()}) {
    EXPECT_EQ(keylens_bfloat16_from_float(value), BFloat16(value).bits);
    EXPECT_EQ(keylens_float16_from_float(value), Float16(value).bits);
  }
  for (uint32_t bits = 0; bits < 0x10000; ++bits) {
    const auto half = static_cast<uint16_t>(bits);
    const float wide = keylens_float16_to_float(half);
    EXPECT_EQ(std::bit_cast<uint32_t>(wide),
              std::bit_cast<uint32_t>(
                  static_cast<float>(std::bit_cast<Float16>(half))));
    const float upper = keylens_bfloat16_to_float(half);
    EXPECT_EQ(std::bit_cast<uint32_t>(upper), bits << 16);
  }
}

}  // namespace
}  // namespace keylens
