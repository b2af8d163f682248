// Between the caller's memory and the kernels' float panels. This is the only
// place that knows the element type and the strides; what follows it sees
// dense, aligned floats.

#if defined(KEYLENS_SRC_ATTENTION_TILE_PACK_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef KEYLENS_SRC_ATTENTION_TILE_PACK_INL_H_
#undef KEYLENS_SRC_ATTENTION_TILE_PACK_INL_H_
#else
#define KEYLENS_SRC_ATTENTION_TILE_PACK_INL_H_
#endif

#include <hwy/cache_control.h>
#include <keylens/small_float.h>

#include <algorithm>
#include <cmath>

#include "src/attention/plan/problem.h"
#include "src/attention/tile/lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace keylens::internal::HWY_NAMESPACE {

// Element types have an overload each of these two: kLanes elements from and to
// memory without alignment.
inline Vec LoadElements(const float* from) {
  return hn::LoadU(FloatTag(), from);
}
inline void StoreElements(Vec values, float* to) {
  hn::StoreU(values, FloatTag(), to);
}

using Tag16 = hn::Rebind<uint16_t, FloatTag>;

inline Vec LoadElements(const BFloat16* from) {
  const hn::RebindToUnsigned<FloatTag> wide;
  const auto upper = hn::PromoteTo(wide, hn::LoadU(Tag16(), &from->bits));
  return hn::BitCast(FloatTag(), hn::ShiftLeft<16>(upper));
}
// Rounds as the constructor of BFloat16 does.
inline void StoreElements(Vec values, BFloat16* to) {
  const hn::RebindToUnsigned<FloatTag> wide;
  const auto bits = hn::BitCast(wide, values);
  const auto upper = hn::ShiftRight<16>(bits);
  const auto half_less_ties =
      hn::Add(hn::Set(wide, 0x7fff), hn::And(upper, hn::Set(wide, 1)));
  const auto rounded = hn::ShiftRight<16>(hn::Add(bits, half_less_ties));
  const auto quiet_nan = hn::Or(upper, hn::Set(wide, 0x40));
  const auto result = hn::IfThenElse(hn::RebindMask(wide, hn::IsNaN(values)),
                                     quiet_nan, rounded);
  const hn::RebindToSigned<FloatTag> signed_wide;
  hn::StoreU(hn::DemoteTo(Tag16(), hn::BitCast(signed_wide, result)), Tag16(),
             &to->bits);
}

inline Vec LoadElements(const int8_t* from) {
  const hn::Rebind<int8_t, FloatTag> narrow;
  const hn::RebindToSigned<FloatTag> wide;
  return hn::ConvertTo(FloatTag(),
                       hn::PromoteTo(wide, hn::LoadU(narrow, from)));
}

#if HWY_TARGET == HWY_SCALAR
inline Vec LoadElements(const Float16* from) {
  return hn::Set(FloatTag(), static_cast<float>(*from));
}
inline void StoreElements(Vec values, Float16* to) {
  *to = Float16(hn::GetLane(values));
}
#else
inline Vec LoadElements(const Float16* from) {
  const hn::Rebind<hwy::float16_t, FloatTag> narrow;
  return hn::PromoteTo(
      FloatTag(),
      hn::LoadU(narrow, reinterpret_cast<const hwy::float16_t*>(from)));
}
inline void StoreElements(Vec values, Float16* to) {
  const hn::Rebind<hwy::float16_t, FloatTag> narrow;
  hn::StoreU(hn::DemoteTo(narrow, values), narrow,
             reinterpret_cast<hwy::float16_t*>(to));
}
#endif

// to[j][i] = from[i][j] for a 4 x 4 block of floats; `from` steps by
// from_stride, `to` by to_stride.
inline void Transpose4x4(const float* from, int64_t from_stride, float* to,
                         int64_t to_stride) {
#if HWY_TARGET == HWY_SCALAR
  for (int64_t i = 0; i < 4; ++i) {
    for (int64_t j = 0; j < 4; ++j)
      to[j * to_stride + i] = from[i * from_stride + j];
  }
#else
  const hn::FixedTag<float, 4> d;
  const auto r0 = hn::LoadU(d, from);
  const auto r1 = hn::LoadU(d, from + from_stride);
  const auto r2 = hn::LoadU(d, from + 2 * from_stride);
  const auto r3 = hn::LoadU(d, from + 3 * from_stride);
  const auto low02 = hn::InterleaveLower(d, r0, r2);   // 00 20 01 21
  const auto low13 = hn::InterleaveLower(d, r1, r3);   // 10 30 11 31
  const auto high02 = hn::InterleaveUpper(d, r0, r2);  // 02 22 03 23
  const auto high13 = hn::InterleaveUpper(d, r1, r3);
  hn::StoreU(hn::InterleaveLower(d, low02, low13), d, to);
  hn::StoreU(hn::InterleaveUpper(d, low02, low13), d, to + to_stride);
  hn::StoreU(hn::InterleaveLower(d, high02, high13), d, to + 2 * to_stride);
  hn::StoreU(hn::InterleaveUpper(d, high02, high13), d, to + 3 * to_stride);
#endif
}

// to[r * to_stride + c] = from(r, c), where the rows of `from` are dense.
template <typename T>
void CopyDenseRows(const Matrix<const T>& from, float* to, int64_t to_stride) {
  const FloatTag d;
  for (int64_t r = 0; r < from.rows; ++r) {
    const T* source = from.data + r * from.row_stride;
    float* row = to + r * to_stride;
    int64_t c = 0;
    for (; c + kLanes <= from.cols; c += kLanes)
      hn::StoreU(LoadElements(source + c), d, row + c);
    for (; c < from.cols; ++c) row[c] = static_cast<float>(source[c]);
  }
}

template <typename T>
void CopyAny(const Matrix<const T>& from, float* to, int64_t to_stride) {
  for (int64_t r = 0; r < from.rows; ++r) {
    const T* source = from.data + r * from.row_stride;
    for (int64_t c = 0; c < from.cols; ++c)
      to[r * to_stride + c] = static_cast<float>(source[c * from.col_stride]);
  }
}

// The part of `from` from (row, col) on, at most rows x cols of it.
template <typename T>
Matrix<T> Part(const Matrix<T>& from, int64_t row, int64_t col, int64_t rows,
               int64_t cols) {
  return {from.data + row * from.row_stride + col * from.col_stride,
          std::min(rows, from.rows - row), std::min(cols, from.cols - col),
          from.row_stride, from.col_stride};
}

// Asks for the memory of a column of `from` whose elements are side by side.
template <typename T>
void PrefetchColumn(const Matrix<const T>& from, int64_t col) {
  constexpr int64_t kLine = 64 / sizeof(T);
  const T* column = from.data + col * from.col_stride;
  for (int64_t r = 0; r < from.rows; r += kLine) hwy::Prefetch(column + r);
}

// Asks for the memory of `from`, to be copied before long. Views that are dense
// in neither direction are left to the processor.
template <typename T>
void PrefetchMatrix(const Matrix<const T>& from) {
  const Matrix<const T> columns =
      from.row_stride == 1 ? from : from.Transposed();
  if (columns.row_stride != 1) return;
  for (int64_t c = 0; c < columns.cols; ++c) PrefetchColumn(columns, c);
}

// Four columns of `from` from column c on, whole_rows of each, a multiple of 4:
// Transpose4x4 all the way down.
inline void TransposeColumns(const Matrix<const float>& from, int64_t c,
                             int64_t whole_rows, float* to, int64_t to_stride) {
  for (int64_t r = 0; r < whole_rows; r += 4) {
    Transpose4x4(from.data + c * from.col_stride + r, from.col_stride,
                 to + r * to_stride + c, to_stride);
  }
}

// Other element types become floats first, a stretch of rows at a time.
template <typename T>
void TransposeColumns(const Matrix<const T>& from, int64_t c,
                      int64_t whole_rows, float* to, int64_t to_stride) {
  constexpr int64_t kStretch = 64;
  alignas(64) float columns[4 * kStretch];
  for (int64_t first = 0; first < whole_rows; first += kStretch) {
    const int64_t rows = std::min(kStretch, whole_rows - first);
    CopyDenseRows(Part(from, first, c, rows, 4).Transposed(), columns,
                  kStretch);
    TransposeColumns({columns, rows, 4, 1, kStretch}, 0, rows,
                     to + first * to_stride + c, to_stride);
  }
}

// to[r * to_stride + c] = from(r, c), where the columns of `from` are dense.
template <typename T>
void CopyDenseColumns(const Matrix<const T>& from, float* to,
                      int64_t to_stride) {
  const int64_t whole_rows = from.rows / 4 * 4;
  const int64_t whole_cols = from.cols / 4 * 4;
  for (int64_t c = 0; c < whole_cols; c += 4) {
    // Four short streams at a time are too many for the processor to foresee.
    for (int64_t ahead = c + 8; ahead < std::min(c + 12, from.cols); ++ahead) {
      PrefetchColumn(from, ahead);
    }
    TransposeColumns(from, c, whole_rows, to, to_stride);
  }
  if (whole_rows < from.rows) {
    CopyAny(Part(from, whole_rows, 0, from.rows, from.cols),
            to + whole_rows * to_stride, to_stride);
  }
  if (whole_cols < from.cols)
    CopyAny(Part(from, 0, whole_cols, whole_rows, from.cols), to + whole_cols,
            to_stride);
}

template <typename T>
void CopyMatrix(const Matrix<const T>& from, float* to, int64_t to_stride) {
  if (from.col_stride == 1) {
    CopyDenseRows(from, to, to_stride);
  } else if (from.row_stride == 1) {
    CopyDenseColumns(from, to, to_stride);
  } else {
    CopyAny(from, to, to_stride);
  }
}

// Cuts `from` into panels of kWidth columns, one after the other, each
// row-major: B as Product takes it. The last panel is kNarrow wide where that
// is enough; columns beyond from.cols are 0. `to` has PackedSize<kWidth,
// kNarrow>(rows, cols) floats; each panel takes `to_rows` rows of it, the first
// from.rows of them written.
template <int64_t kWidth, int64_t kNarrow, typename T>
void PackPanels(const Matrix<const T>& from, float* to, int64_t to_rows) {
  for (int64_t col = 0; col < from.cols; col += kWidth) {
    const Matrix<const T> part = Part(from, 0, col, from.rows, kWidth);
    const int64_t width = part.cols <= kNarrow ? kNarrow : kWidth;
    float* panel = to + col * to_rows;
    CopyMatrix(part, panel, width);
    for (int64_t r = 0; part.cols < width && r < part.rows; ++r) {
      std::fill(panel + r * width + part.cols, panel + (r + 1) * width, 0.0f);
    }
  }
}

// The columns operand of a product.
template <typename T>
void PackColumns(const Matrix<const T>& from, float* to, int64_t to_rows) {
  PackPanels<kPanel, kLanes>(from, to, to_rows);
}
inline int64_t PackedColumnsSize(int64_t rows, int64_t cols) {
  return rows * RoundUp(cols, kLanes);
}

// The rows operand of a product (PackedRows): kMicroRows rows of `from` side by
// side. The columns of the transpose are cut every kMicroRows, but lie
// kMicroRowsPadded apart.
template <typename T>
void PackRows(const Matrix<const T>& from, float* to) {
  const Matrix<const T> across = from.Transposed();
  for (int64_t row = 0; row < from.rows; row += kMicroRows) {
    float* panel = to + row / kMicroRows * kMicroRowsPadded * from.cols;
    CopyMatrix(Part(across, 0, row, across.rows, kMicroRows), panel,
               kMicroRowsPadded);
  }
}
inline int64_t PackedRowsSize(int64_t rows, int64_t cols) {
  return CeilDiv(rows, kMicroRows) * kMicroRowsPadded * cols;
}

// data[i] *= factor. Not for the gaps that PackRows leaves unwritten: they are
// scaled too, and never read.
inline void ScaleInPlace(float* data, int64_t size, float factor) {
  const FloatTag d;
  int64_t i = 0;
  for (; i + kLanes <= size; i += kLanes)
    hn::StoreU(hn::Mul(hn::LoadU(d, data + i), hn::Set(d, factor)), d,
               data + i);
  for (; i < size; ++i) data[i] *= factor;
}

// Whether no element is infinite or NaN. `size` is a multiple of kLanes.
inline bool AllFinite(const float* data, int64_t size) {
  const FloatTag d;
  Vec probe = hn::Zero(d);  // x * 0 is 0 for a finite x and NaN for any other
  for (int64_t i = 0; i < size; i += kLanes)
    probe = hn::MulAdd(hn::Load(d, data + i), hn::Zero(d), probe);
  return hn::AllTrue(d, hn::Eq(probe, probe));
}

// Puts 0 in place of every infinite or NaN element; says whether there was any.
inline bool ClearNonfinite(float* data, int64_t size) {
  if (AllFinite(data, size)) return false;
  for (int64_t i = 0; i < size; ++i) {
    if (!std::isfinite(data[i])) data[i] = 0.0f;
  }
  return true;
}

// What `element` becomes: value, or with kAdd its sum with what is there.
template <bool kAdd, typename T>
void StoreScalar(float value, T& element) {
  element = static_cast<T>(kAdd ? static_cast<float>(element) + value : value);
}

// to(r, c) = from[r * from_stride + c], for all of `to`; with kAdd, += instead.
template <bool kAdd, typename T>
void UnpackDenseRows(const float* from, int64_t from_stride,
                     const Matrix<T>& to) {
  const FloatTag d;
  for (int64_t r = 0; r < to.rows; ++r) {
    const float* source = from + r * from_stride;
    T* row = to.data + r * to.row_stride;
    int64_t c = 0;
    for (; c + kLanes <= to.cols; c += kLanes) {
      Vec value = hn::LoadU(d, source + c);
      if constexpr (kAdd) value = hn::Add(LoadElements(row + c), value);
      StoreElements(value, row + c);
    }
    for (; c < to.cols; ++c) StoreScalar<kAdd>(source[c], row[c]);
  }
}

template <bool kAdd, typename T>
void UnpackAny(const float* from, int64_t from_stride, const Matrix<T>& to) {
  for (int64_t c = 0; c < to.cols; ++c) {
    T* column = to.data + c * to.col_stride;
    for (int64_t r = 0; r < to.rows; ++r) {
      StoreScalar<kAdd>(from[r * from_stride + c], column[r * to.row_stride]);
    }
  }
}

// Four columns from column c on, `rows` of each, a multiple of 4.
inline void TransposeBack(const float* from, int64_t from_stride, int64_t c,
                          int64_t rows, const Matrix<float>& to) {
  for (int64_t r = 0; r < rows; r += 4) {
    Transpose4x4(from + r * from_stride + c, from_stride,
                 to.data + c * to.col_stride + r, to.col_stride);
  }
}

template <typename T>
void TransposeBack(const float* from, int64_t from_stride, int64_t c,
                   int64_t rows, const Matrix<T>& to) {
  constexpr int64_t kStretch = 64;
  alignas(64) float columns[4 * kStretch];
  for (int64_t first = 0; first < rows; first += kStretch) {
    const int64_t count = std::min(kStretch, rows - first);
    TransposeBack(from + first * from_stride + c, from_stride, 0, count,
                  {columns, count, 4, 1, kStretch});
    UnpackDenseRows<false>(columns, kStretch,
                           Part(to, first, c, count, 4).Transposed());
  }
}

template <bool kAdd, typename T>
void UnpackDenseColumns(const float* from, int64_t from_stride,
                        const Matrix<T>& to) {
  const int64_t rows = kAdd ? 0 : to.rows / 4 * 4;
  const int64_t cols = to.cols / 4 * 4;
  for (int64_t c = 0; rows > 0 && c < cols; c += 4) {
    TransposeBack(from, from_stride, c, rows, to);
  }
  UnpackAny<kAdd>(from + rows * from_stride, from_stride,
                  Part(to, rows, 0, to.rows, to.cols));
  UnpackAny<kAdd>(from + cols, from_stride, Part(to, 0, cols, rows, to.cols));
}

// Writes a row-major block of floats to the caller's memory, or adds it to what
// is there.
template <bool kAdd, typename T>
void Unpack(const float* from, int64_t from_stride, const Matrix<T>& to) {
  if (to.col_stride == 1) {
    UnpackDenseRows<kAdd>(from, from_stride, to);
  } else if (to.row_stride == 1) {
    UnpackDenseColumns<kAdd>(from, from_stride, to);
  } else {
    UnpackAny<kAdd>(from, from_stride, to);
  }
}

}  // namespace keylens::internal::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // KEYLENS_SRC_ATTENTION_TILE_PACK_INL_H_
