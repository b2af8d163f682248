// The positive part of weights times their gradients, summed over groups.

#if defined(KEYLENS_SRC_ATTENTION_PASSES_RELEVANCE_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef KEYLENS_SRC_ATTENTION_PASSES_RELEVANCE_INL_H_
#undef KEYLENS_SRC_ATTENTION_PASSES_RELEVANCE_INL_H_
#else
#define KEYLENS_SRC_ATTENTION_PASSES_RELEVANCE_INL_H_
#endif

#include <algorithm>
#include <span>

#include "src/attention/plan/aligned_array.h"
#include "src/attention/tile/softmax-inl.h"

HWY_BEFORE_NAMESPACE();
namespace keylens::internal::HWY_NAMESPACE {

// The sums of every unit of a backward pass, which are added up in order when
// all are done.
class RelevanceSums {
 public:
  // `stretches` units share a key/value head.
  RelevanceSums(const Problem& problem, std::span<const int32_t> query_group,
                std::span<const int32_t> key_group,
                const TensorView<float, 4>& relevance, int64_t stretches)
      : problem_(problem),
        query_group_(query_group),
        key_group_(key_group),
        relevance_(relevance),
        stretches_(stretches) {
    if (!wanted()) return;
    const int64_t size = problem.batch * problem.num_heads * stretches * Size();
    sums_ = AlignedArray<double>(size);
    std::fill_n(sums_.get(), size, 0.0);
  }

  bool wanted() const { return relevance_.data != nullptr; }

  // Adds one row of a tile: scores, products (the gradient by each weight, but
  // for what `keep` does to it) and the row's logsumexp. `stretch` numbers the
  // unit among those of its head.
  template <typename Keep>
  void AddRow(const ScoreTile& scores, const ScoreTile& products, int64_t row,
              float reference, int64_t stretch, const Keep& keep) const {
    const TileCoord& coord = scores.coord;
    const int32_t group =
        query_group_[static_cast<std::size_t>(coord.first_query + row)];
    if (group < 0) return;
    alignas(64) float terms[kBlockKeys];
    Terms(scores.Row(row), products.Row(row), coord.num_keys, reference, keep,
          terms);
    double* sums =
        SumsOf(coord.batch, coord.head, stretch) + group * relevance_.shape[3];
    for (int64_t j = 0; j < coord.num_keys; ++j) {
      const int32_t to =
          key_group_[static_cast<std::size_t>(coord.first_key + j)];
      if (to >= 0) sums[to] += terms[j];
    }
  }

  // Writes the sums over all units to the caller's view.
  void Write() const {
    for (int64_t b = 0; wanted() && b < problem_.batch; ++b) {
      for (int64_t head = 0; head < problem_.num_heads; ++head)
        WriteHead(b, head);
    }
  }

 private:
  template <typename Keep>
  static void Terms(const float* scores, const float* products,
                    int64_t num_keys, float reference, const Keep& keep,
                    float* terms) {
    const FloatTag d;
    for (int64_t j = 0; j < num_keys; j += kLanes) {
      const Vec score = hn::Load(d, scores + j);
      const Vec weight = Exp(hn::Sub(score, hn::Set(d, reference)));
      const Vec weight_grad = keep.Scaled(hn::Load(d, products + j), j);
      const Vec term = hn::Mul(weight, weight_grad);
      const auto is_nothing =
          hn::Or(hn::Eq(weight, hn::Zero(d)),
                 hn::Or(hn::Lt(term, hn::Zero(d)),
                        hn::Eq(score, hn::Set(d, kMinusInfinity))));
      hn::Store(hn::IfThenZeroElse(is_nothing, term), d, terms + j);
    }
  }

  int64_t Size() const { return relevance_.shape[2] * relevance_.shape[3]; }

  double* SumsOf(int64_t batch, int64_t head, int64_t stretch) const {
    const int64_t unit =
        (batch * problem_.num_heads + head) * stretches_ + stretch;
    return sums_.get() + unit * Size();
  }

  void WriteHead(int64_t batch, int64_t head) const {
    for (int64_t q = 0; q < relevance_.shape[2]; ++q) {
      for (int64_t k = 0; k < relevance_.shape[3]; ++k) {
        double sum = 0.0;
        for (int64_t stretch = 0; stretch < stretches_; ++stretch)
          sum += SumsOf(batch, head, stretch)[q * relevance_.shape[3] + k];
        relevance_
            .data[batch * relevance_.strides[0] + head * relevance_.strides[1] +
                  q * relevance_.strides[2] + k * relevance_.strides[3]] =
            static_cast<float>(sum);
      }
    }
  }

  const Problem& problem_;
  std::span<const int32_t> query_group_;
  std::span<const int32_t> key_group_;
  TensorView<float, 4> relevance_;
  int64_t stretches_;
  AlignedArray<double> sums_;
};

}  // namespace keylens::internal::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // KEYLENS_SRC_ATTENTION_PASSES_RELEVANCE_INL_H_
