// The soft cap, compiled once for each instruction set.

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "src/score_mod/soft_cap.cc"
#include <hwy/foreach_target.h>  // before the headers that are compiled for each
#include <keylens/score_mod.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>

#include "src/attention/tile/exp-inl.h"

HWY_BEFORE_NAMESPACE();
namespace keylens::internal::HWY_NAMESPACE {

// cap tanh(x) for x = score / cap.
//
// Near 0, tanh x = x + x^3 P(x^2), so that the result is the score and a small
// correction; P minimises the relative error of tanh for |x| <= 0.55 (1e-8).
// Beyond, tanh |x| = 1 - 2 e / (1 + e) with e = exp(-2 |x|): there the quotient
// is at most 1/2, and cancels nothing. A NaN takes the second way.
HWY_INLINE Vec Capped(Vec score, Vec cap) {
  const FloatTag d;
  const Vec x = hn::Div(score, cap);
  const Vec square = hn::Mul(x, x);
  Vec p = hn::Set(d, -0.00627423776f);
  p = hn::MulAdd(p, square, hn::Set(d, 0.0210716762f));
  p = hn::MulAdd(p, square, hn::Set(d, -0.0538523085f));
  p = hn::MulAdd(p, square, hn::Set(d, 0.13332586f));
  p = hn::MulAdd(p, square, hn::Set(d, -0.333333164f));
  const Vec near = hn::MulAdd(hn::Mul(score, square), p, score);

  const Vec size = hn::Abs(x);
  const Vec one = hn::Set(d, 1.0f);
  const Vec e = Exp(hn::Mul(size, hn::Set(d, -2.0f)));
  const Vec tanh = hn::Sub(one, hn::Div(hn::Add(e, e), hn::Add(one, e)));
  const Vec far = hn::CopySign(hn::Mul(cap, tanh), x);
  return hn::IfThenElse(hn::Lt(size, hn::Set(d, 0.55f)), near, far);
}

// The derivative of cap tanh(score / cap) by score, 1 - tanh^2 x, as 4 e / (1 +
// e)^2, which cancels nothing.
HWY_INLINE Vec CappedSlope(Vec score, Vec cap) {
  const FloatTag d;
  const Vec size = hn::Abs(hn::Div(score, cap));
  const Vec e = Exp(hn::Mul(size, hn::Set(d, -2.0f)));
  const Vec factor = hn::Div(hn::Set(d, 2.0f), hn::Add(hn::Set(d, 1.0f), e));
  return hn::Mul(e, hn::Mul(factor, factor));
}

// row[j] = change(row[j], other[j]), a vector at a time. The last, partial one
// is worked on in a copy: nothing beyond the row is touched, and an element has
// the same bits wherever it falls in a row.
template <typename Change>
HWY_INLINE void ChangeRow(float* row, const float* other, int64_t count,
                          const Change& change) {
  const FloatTag d;
  int64_t j = 0;
  for (; j + kLanes <= count; j += kLanes) {
    hn::StoreU(change(hn::LoadU(d, row + j), hn::LoadU(d, other + j)), d,
               row + j);
  }
  if (j == count) return;
  HWY_ALIGN float row_tail[kLanes] = {};
  HWY_ALIGN float other_tail[kLanes] = {};
  std::copy(row + j, row + count, row_tail);
  std::copy(other + j, other + count, other_tail);
  hn::Store(change(hn::Load(d, row_tail), hn::Load(d, other_tail)), d,
            row_tail);
  std::copy_n(row_tail, count - j, row + j);
}

void CapScores(float cap, const ScoreTile& scores) {
  const Vec caps = hn::Set(FloatTag(), cap);
  for (int64_t i = 0; i < scores.coord.num_queries; ++i) {
    float* row = scores.Row(i);
    ChangeRow(row, row, scores.coord.num_keys,
              [&](Vec score, Vec) { return Capped(score, caps); });
  }
}

// A gradient of 0, which a masked key has, stays 0 whatever its score was: a
// NaN too.
void UncapGradient(float cap, const ScoreTile& before, const ScoreTile& grad) {
  const FloatTag d;
  const Vec caps = hn::Set(d, cap);
  for (int64_t i = 0; i < grad.coord.num_queries; ++i) {
    ChangeRow(grad.Row(i), before.Row(i), grad.coord.num_keys,
              [&](Vec gradient, Vec score) {
                return hn::IfThenElse(
                    hn::Eq(gradient, hn::Zero(d)), gradient,
                    hn::Mul(gradient, CappedSlope(score, caps)));
              });
  }
}

}  // namespace keylens::internal::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace keylens {
namespace internal {
namespace {

HWY_EXPORT(CapScores);
HWY_EXPORT(UncapGradient);

class TanhCap final : public ScoreMod {
 public:
  explicit TanhCap(float cap) : cap_(cap) {}

  void Forward(ScoreTile scores) const override {
    HWY_DYNAMIC_DISPATCH(CapScores)(cap_, scores);
  }

  void Backward(ScoreTile before, ScoreTile grad) const override {
    HWY_DYNAMIC_DISPATCH(UncapGradient)(cap_, before, grad);
  }

 private:
  float cap_;
};

}  // namespace
}  // namespace internal

std::unique_ptr<ScoreMod> SoftCap(float cap) {
  if (!std::isfinite(cap) || cap <= 0) {
    throw std::invalid_argument("SoftCap: cap is " + std::to_string(cap));
  }
  return std::make_unique<internal::TanhCap>(cap);
}

}  // namespace keylens
#endif  // HWY_ONCE
