// Products of small matrices, all of the arithmetic of attention but the
// softmax: C = A B, or C = s C + A B.

#if defined(KEYLENS_SRC_ATTENTION_TILE_MICRO_KERNEL_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef KEYLENS_SRC_ATTENTION_TILE_MICRO_KERNEL_INL_H_
#undef KEYLENS_SRC_ATTENTION_TILE_MICRO_KERNEL_INL_H_
#else
#define KEYLENS_SRC_ATTENTION_TILE_MICRO_KERNEL_INL_H_
#endif

#include "src/attention/tile/lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace keylens::internal::HWY_NAMESPACE {

// How element (row, step) of the broadcast operand A is found: base +
// Offset(row, depth) + step * kStep, where rows of one micro kernel are kRow
// apart. All strides are constants, so that they become part of the
// instructions. kIsTall: whether a micro kernel may have more than kMicroRows
// rows.

// Packed by PackPanels, kMicroRows rows side by side: queries, output
// gradients.
struct PackedRows {
  static constexpr bool kIsTall = false;
  static constexpr int64_t kRow = 1;
  static constexpr int64_t kStep = kMicroRowsPadded;
  static int64_t Offset(int64_t row, int64_t depth) {
    return row / kMicroRows * kMicroRowsPadded * depth + row % kMicroRows;
  }
};

// The rows of a score tile: the depth runs over its keys.
struct TileRowsOperand {
  static constexpr bool kIsTall = true;
  static constexpr int64_t kRow = kScoreStride;
  static constexpr int64_t kStep = 1;
  static int64_t Offset(int64_t row, int64_t /*depth*/) {
    return row * kScoreStride;
  }
};

// The columns of a score tile: the depth runs over its queries.
struct TileColumnsOperand {
  static constexpr bool kIsTall = true;
  static constexpr int64_t kRow = 1;
  static constexpr int64_t kStep = kScoreStride;
  static int64_t Offset(int64_t row, int64_t /*depth*/) { return row; }
};

// What becomes of C, given factors s:
//
//   kScaled    C = s[0] A B
//   kAdded     C = C + A B            (s unused)
//   kRescaled  C = s[row] C + A B
enum class Result { kScaled, kAdded, kRescaled };

// One register block: kRows x kVecs vectors of C. The depth is summed in order
// with one multiply-add each, so an element of C has the same bits whichever
// block computes it.
template <typename A, Result kResult, int kRows, int kVecs>
HWY_NOINLINE void MicroKernel(const float* HWY_RESTRICT a,
                              const float* HWY_RESTRICT b, int64_t depth,
                              const float* HWY_RESTRICT s,
                              float* HWY_RESTRICT c, int64_t c_stride) {
  const FloatTag d;
  Vec sums[kRows][kVecs];
  for (int r = 0; r < kRows; ++r) {
    for (int v = 0; v < kVecs; ++v) {
      const float* old = c + r * c_stride + v * kLanes;
      if constexpr (kResult == Result::kScaled) sums[r][v] = hn::Zero(d);
      if constexpr (kResult == Result::kAdded) sums[r][v] = hn::Load(d, old);
      if constexpr (kResult == Result::kRescaled) {
        sums[r][v] = hn::Mul(hn::Load(d, old), hn::Set(d, s[r]));
      }
    }
  }
  for (int64_t step = 0; step < depth; ++step) {
    Vec columns[kVecs];
    for (int v = 0; v < kVecs; ++v) columns[v] = hn::Load(d, b + v * kLanes);
    for (int r = 0; r < kRows; ++r) {
      const Vec row = hn::Set(d, a[r * A::kRow]);
      for (int v = 0; v < kVecs; ++v) {
        sums[r][v] = hn::MulAdd(row, columns[v], sums[r][v]);
      }
    }
    a += A::kStep;
    b += kVecs * kLanes;
  }
  for (int r = 0; r < kRows; ++r) {
    for (int v = 0; v < kVecs; ++v) {
      Vec sum = sums[r][v];
      if constexpr (kResult == Result::kScaled) {
        sum = hn::Mul(sum, hn::Set(d, s[0]));
      }
      hn::Store(sum, d, c + r * c_stride + v * kLanes);
    }
  }
}

// One column panel of C, all rows: full register blocks, then smaller ones for
// what is left.
template <typename A, Result kResult, int kVecs>
void PanelProduct(const float* a, int64_t rows, const float* b, int64_t depth,
                  const float* s, float* c, int64_t c_stride) {
  const auto run = [&](int64_t row, auto kernel) {
    kernel(a + A::Offset(row, depth), b, depth,
           kResult == Result::kRescaled ? s + row : s, c + row * c_stride,
           c_stride);
  };
  int64_t row = 0;
  if constexpr (kVecs == 1 && A::kIsTall) {
    // One vector wide, kMicroRows sums are too few to keep two multiply-add
    // units busy for the time that one sum takes.
    for (; row + 2 * kMicroRows <= rows; row += 2 * kMicroRows)
      run(row, MicroKernel<A, kResult, 2 * kMicroRows, kVecs>);
  }
  for (; row + kMicroRows <= rows; row += kMicroRows)
    run(row, MicroKernel<A, kResult, kMicroRows, kVecs>);
  if constexpr (kMicroRows > 8) {
    if (row + 8 <= rows) {
      run(row, MicroKernel<A, kResult, 8, kVecs>);
      row += 8;
    }
  }
  if (row + 4 <= rows) {
    run(row, MicroKernel<A, kResult, 4, kVecs>);
    row += 4;
  }
  if (row + 2 <= rows) {
    run(row, MicroKernel<A, kResult, 2, kVecs>);
    row += 2;
  }
  if (row < rows) run(row, MicroKernel<A, kResult, 1, kVecs>);
}

// C [rows x cols] from A [rows x depth] and B [depth x cols].
//
// B is in panels as PackPanels leaves them, with b_depth rows each, of which
// [b_first, b_first + depth) are used. C is row-major on vector boundaries;
// columns up to the next multiple of kLanes are written too.
template <typename A, Result kResult>
void Product(const float* a, int64_t rows, const float* b, int64_t b_depth,
             int64_t b_first, int64_t cols, int64_t depth, const float* s,
             float* c, int64_t c_stride) {
  for (int64_t col = 0; col < cols; col += kPanel) {
    const float* panel = b + col * b_depth;
    if (cols - col > kLanes) {
      PanelProduct<A, kResult, 2>(a, rows, panel + b_first * kPanel, depth, s,
                                  c + col, c_stride);
    } else {
      PanelProduct<A, kResult, 1>(a, rows, panel + b_first * kLanes, depth, s,
                                  c + col, c_stride);
    }
  }
}

}  // namespace keylens::internal::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // KEYLENS_SRC_ATTENTION_TILE_MICRO_KERNEL_INL_H_
