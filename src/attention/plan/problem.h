#ifndef KEYLENS_SRC_ATTENTION_PLAN_PROBLEM_H_
#define KEYLENS_SRC_ATTENTION_PLAN_PROBLEM_H_

#include <keylens/attention.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>

namespace keylens::internal {

// One call, checked and with every default filled in; what the kernels know
// besides the memory they read and write.
struct Problem {
  int64_t batch = 0;
  int64_t num_heads = 0;
  int64_t num_kv_heads = 0;
  int64_t query_len = 0;
  int64_t kv_len = 0;
  int64_t head_dim = 0;
  int64_t value_dim = 0;
  float scale = 1.0f;
  const Mask* mask = nullptr;
  std::span<const ScoreMod* const> score_mods;
  std::span<const float> sinks;  // empty, or one for each head
  Dropout dropout;
  int num_threads = 1;  // at least 1

  // What masks, score mods and dropout know the first batch entry as.
  int64_t first_batch = 0;

  // Query heads that share one key/value head.
  int64_t GroupSize() const { return num_heads / num_kv_heads; }

  // -inf where there is none.
  float SinkOf(int64_t head) const {
    return sinks.empty() ? -std::numeric_limits<float>::infinity()
                         : sinks[static_cast<std::size_t>(head)];
  }

  // What a weight that stays is multiplied by.
  float KeepScale() const { return 1.0f / (1.0f - dropout.probability); }

  // How many offsets there are from a query to a key.
  int64_t NumOffsets() const {
    return std::max<int64_t>(0, query_len + kv_len - 1);
  }

  bool HasQueries() const {
    return batch > 0 && num_heads > 0 && query_len > 0;
  }
};

// Two axes of a view, the others fixed: element (r, c) is data[r * row_stride +
// c * col_stride].
template <typename T>
struct Matrix {
  T* data = nullptr;
  int64_t rows = 0;
  int64_t cols = 0;
  int64_t row_stride = 0;
  int64_t col_stride = 0;

  Matrix Transposed() const {
    return {data, cols, rows, col_stride, row_stride};
  }
};

// Rows [first_row, first_row + rows) of one head of a [batch, heads, len, dim]
// view.
template <typename T>
Matrix<T> HeadRows(const TensorView<T, 4>& view, int64_t batch, int64_t head,
                   int64_t first_row, int64_t rows) {
  T* data = view.data + batch * view.strides[0] + head * view.strides[1] +
            first_row * view.strides[2];
  return {data, rows, view.shape[3], view.strides[2], view.strides[3]};
}

// The element (i, j, k) of a rank 3 view.
template <typename T>
T* ElementOf(const TensorView<T, 3>& view, int64_t i, int64_t j, int64_t k) {
  return view.data + i * view.strides[0] + j * view.strides[1] +
         k * view.strides[2];
}

}  // namespace keylens::internal

#endif  // KEYLENS_SRC_ATTENTION_PLAN_PROBLEM_H_
