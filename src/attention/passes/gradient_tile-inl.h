// A tile of queries and output gradients, packed for the backward pass.

#if defined(KEYLENS_SRC_ATTENTION_PASSES_GRADIENT_TILE_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef KEYLENS_SRC_ATTENTION_PASSES_GRADIENT_TILE_INL_H_
#undef KEYLENS_SRC_ATTENTION_PASSES_GRADIENT_TILE_INL_H_
#else
#define KEYLENS_SRC_ATTENTION_PASSES_GRADIENT_TILE_INL_H_
#endif

#include <algorithm>

#include "src/attention/tile/softmax-inl.h"

HWY_BEFORE_NAMESPACE();
namespace keylens::internal::HWY_NAMESPACE {

// What AttentionBackward was given, but for the options.
template <typename T>
struct BackwardViews {
  const AttentionInputs<T>& inputs;
  const AttentionOutputs<T>& forward;
  const TensorView<const T, 4>& out_grad;
  const AttentionGradients<T>& gradients;
};

// A tile of queries as the products of the backward pass take it.
template <typename T>
class GradientTile {
 public:
  explicit GradientTile(const Problem& problem)
      : problem_(problem),
        query_columns_(PackedColumnsSize(kTileRows, problem.head_dim)),
        out_grad_rows_(PackedRowsSize(kTileRows, problem.value_dim)),
        out_grad_columns_(PackedColumnsSize(kTileRows, problem.value_dim)),
        query_grad_stride_(RoundUp(problem.head_dim, kLanes)),
        query_grad_(kTileRows * query_grad_stride_) {}

  void Load(const BackwardViews<T>& views, const Tile& tile) {
    const int64_t rows = tile.num_queries;
    // A row with an element that is not finite has scores that are NaN or -inf,
    // so its dS is NaN or 0 whatever stands here; 0 keeps 0 * NaN out of the
    // keys that it does not see.
    PackColumns(HeadRows(views.inputs.query, tile.batch, tile.head,
                         tile.first_query, rows),
                query_columns(), rows);
    ClearNonfinite(query_columns(), PackedColumnsSize(rows, problem_.head_dim));
    const auto out_grad =
        HeadRows(views.out_grad, tile.batch, tile.head, tile.first_query, rows);
    PackRows(out_grad, out_grad_rows());
    PackColumns(out_grad, out_grad_columns(), rows);
    out_grad_is_finite_ = AllFinite(
        out_grad_columns(), PackedColumnsSize(rows, problem_.value_dim));
    ClearQueryGrad();
    const TensorView<const T, 4> out = views.forward.out;
    LoadDeltas(HeadRows(out, tile.batch, tile.head, tile.first_query, rows),
               out_grad);
    LoadReferences(views, tile);
  }

  void ClearQueryGrad() const {
    std::fill_n(query_grad(), kTileRows * query_grad_stride_, 0.0f);
  }

  float* query_columns() const { return query_columns_.get(); }
  float* out_grad_rows() const { return out_grad_rows_.get(); }
  float* out_grad_columns() const { return out_grad_columns_.get(); }
  bool out_grad_is_finite() const { return out_grad_is_finite_; }
  float* query_grad() const { return query_grad_.get(); }
  int64_t query_grad_stride() const { return query_grad_stride_; }
  float delta(int64_t row) const { return delta_[row]; }
  float reference(int64_t row) const { return reference_[row]; }

 private:
  // delta with one multiply-add for each element, in the order in which Product
  // sums dO V^T: where a key has all the weight, delta has the bits of its
  // product, and dS is exactly 0.
  void LoadDeltas(const Matrix<const T>& out, const Matrix<const T>& out_grad) {
    const FloatTag d;
    alignas(64) float sum[kLanes];
    for (int64_t i = 0; i < out.rows; ++i) {
      const T* o = out.data + i * out.row_stride;
      const T* g = out_grad.data + i * out_grad.row_stride;
      Vec delta = hn::Zero(d);
      for (int64_t c = 0; c < out.cols; ++c) {
        delta = hn::MulAdd(
            hn::Set(d, static_cast<float>(g[c * out_grad.col_stride])),
            hn::Set(d, static_cast<float>(o[c * out.col_stride])), delta);
      }
      hn::Store(delta, d, sum);
      delta_[i] = sum[0];
    }
  }

  void LoadReferences(const BackwardViews<T>& views, const Tile& tile) {
    for (int64_t i = 0; i < tile.num_queries; ++i) {
      const float logsumexp = *ElementOf(views.forward.logsumexp, tile.batch,
                                         tile.head, tile.first_query + i);
      reference_[i] = logsumexp == kMinusInfinity ? 0.0f : logsumexp;
    }
  }

  const Problem& problem_;
  AlignedArray<float> query_columns_;
  AlignedArray<float> out_grad_rows_;
  AlignedArray<float> out_grad_columns_;
  bool out_grad_is_finite_ = true;
  int64_t query_grad_stride_;
  AlignedArray<float> query_grad_;  // without the scale
  float delta_[kTileRows];
  float reference_[kTileRows];
};

}  // namespace keylens::internal::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // KEYLENS_SRC_ATTENTION_PASSES_GRADIENT_TILE_INL_H_
