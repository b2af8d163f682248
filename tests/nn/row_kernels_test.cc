#include "src/nn/inference/row_kernels.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <random>
#include <vector>

#include "src/attention/plan/aligned_array.h"

namespace keylens::nn {
namespace {

using Floats = std::vector<float>;

Floats RandomFloats(int64_t count, unsigned seed, float spread = 1) {
  std::mt19937 random(seed);
  std::normal_distribution<float> normal(0, spread);
  Floats values(count);
  for (float& value : values) value = normal(random);
  return values;
}

struct Matrix {
  Matrix(int64_t in, int64_t out)
      : in(in),
        out(out),
        weight(RandomFloats(in * out, 1)),
        bias(RandomFloats(out, 2)),
        packed(PackedSize(in, out)),
        packed_bias(PackedSize(1, out)) {
    PackWeight(weight.data(), in, out, packed.get());
    PackWeight(bias.data(), 1, out, packed_bias.get());
  }

  Floats Times(const Floats& x, int64_t n, Floats y, bool add) const {
    MultiplyRows(x.data(), n, in, packed.get(), packed_bias.get(), out, add,
                 y.data());
    return y;
  }

  double Expected(const Floats& x, int64_t row, int64_t column) const {
    double sum = bias[column];
    for (int64_t k = 0; k < in; ++k)
      sum += static_cast<double>(x[row * in + k]) * weight[column * in + k];
    return sum;
  }

  int64_t in, out;
  Floats weight, bias;
  internal::AlignedArray<float> packed, packed_bias;
};

struct Shape {
  int64_t n, in, out;
};

class MultiplyRowsTest : public testing::TestWithParam<Shape> {};

TEST_P(MultiplyRowsTest, IsTheProduct) {
  const auto [n, in, out] = GetParam();
  const Matrix matrix(in, out);
  const Floats x = RandomFloats(n * in, 3), before = RandomFloats(n * out, 4);
  const Floats replaced = matrix.Times(x, n, before, false);
  const Floats added = matrix.Times(x, n, before, true);
  const double tolerance = 1e-6 * static_cast<double>(in + 2);
  for (int64_t row = 0; row < n; ++row) {
    for (int64_t column = 0; column < out; ++column) {
      const int64_t at = row * out + column;
      const double expected = matrix.Expected(x, row, column);
      ASSERT_NEAR(replaced[at], expected, tolerance) << row << " " << column;
      ASSERT_NEAR(added[at], expected + before[at], tolerance);
    }
  }
}

TEST_P(MultiplyRowsTest, GivesARowTheBitsItGetsAlone) {
  const auto [n, in, out] = GetParam();
  const Matrix matrix(in, out);
  const Floats x = RandomFloats(n * in, 3);
  const Floats together = matrix.Times(x, n, Floats(n * out), false);
  for (int64_t row = 0; row < n; ++row) {
    const Floats one(x.begin() + row * in, x.begin() + (row + 1) * in);
    const Floats alone = matrix.Times(one, 1, Floats(out), false);
    const Floats with_others(together.begin() + row * out,
                             together.begin() + (row + 1) * out);
    ASSERT_EQ(alone, with_others) << row;
  }
}

INSTANTIATE_TEST_SUITE_P(Shapes, MultiplyRowsTest,
                         testing::Values(Shape{1, 1, 1}, Shape{5, 7, 16},
                                         Shape{12, 64, 48}, Shape{23, 33, 17},
                                         Shape{41, 256, 100},
                                         Shape{3, 10, 31}));

TEST(NormalizeRowsTest, HasMeanZeroAndDeviationOne) {
  for (const int64_t size : {1, 3, 16, 37, 256}) {
    const Floats x = RandomFloats(2 * size, 5, 30);
    const Floats scale = RandomFloats(size, 6), shift = RandomFloats(size, 7);
    Floats y(2 * size);
    NormalizeRows(x.data(), 2, size, scale.data(), shift.data(), 1e-5f,
                  y.data());
    for (int64_t row = 0; row < 2; ++row) {
      double mean = 0, variance = 0;
      for (int64_t i = 0; i < size; ++i) mean += x[row * size + i];
      mean /= static_cast<double>(size);
      for (int64_t i = 0; i < size; ++i)
        variance += std::pow(x[row * size + i] - mean, 2);
      variance /= static_cast<double>(size);
      for (int64_t i = 0; i < size; ++i) {
        const double unit =
            (x[row * size + i] - mean) / std::sqrt(variance + 1e-5);
        EXPECT_NEAR(y[row * size + i], unit * scale[i] + shift[i], 1e-4);
      }
    }
  }
}

TEST(ActivationsTest, AreTheirFormulas) {
  const Floats x = RandomFloats(37, 8, 3);
  Floats relu = x, gelu = x;
  ActivateRows(relu.data(), 37, 1, Activation::kRelu);
  ActivateRows(gelu.data(), 1, 37, Activation::kGelu);
  for (std::size_t i = 0; i < x.size(); ++i) {
    EXPECT_EQ(relu[i], std::max(x[i], 0.0f));
    const double z = x[i];
    EXPECT_NEAR(gelu[i], z * 0.5 * (1 + std::erf(z / std::sqrt(2.0))),
                3e-7 * std::abs(z) + 1e-12);
  }
}

// Far out to the left, where 1 + erf has no digits left.
TEST(ActivationsTest, GeluKeepsItsDigitsInTheTail) {
  for (double z = -9; z < 9; z += 0.0371) {
    auto x = static_cast<float>(z);
    const double exact = x;
    ActivateRows(&x, 1, 1, Activation::kGelu);
    const double wanted = exact * 0.5 * std::erfc(-exact / std::sqrt(2.0));
    // z^2 / 2 is rounded before the exponential makes a factor of it.
    const double allowed = 1e-6 + exact * exact * 0x1p-24;
    EXPECT_NEAR(x, wanted, allowed * std::abs(wanted)) << z;
  }
}

TEST(LogSumExpTest, IsItsFormula) {
  for (const int64_t count : {1, 5, 16, 33, 8000}) {
    const Floats x = RandomFloats(count, 9, 20);
    double sum = 0;
    for (const float value : x) sum += std::exp(static_cast<double>(value));
    EXPECT_NEAR(LogSumExp(x.data(), count), std::log(sum), 2e-5) << count;
  }
}

}  // namespace
}  // namespace keylens::nn
