// The exponential function of every weight.

#if defined(KEYLENS_SRC_ATTENTION_TILE_EXP_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef KEYLENS_SRC_ATTENTION_TILE_EXP_INL_H_
#undef KEYLENS_SRC_ATTENTION_TILE_EXP_INL_H_
#else
#define KEYLENS_SRC_ATTENTION_TILE_EXP_INL_H_
#endif

#include "src/attention/tile/lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace keylens::internal::HWY_NAMESPACE {

// From here down Exp gives 0: x / ln 2 rounds to -127, and 2^-127 as made below
// is 0. It is a little below ln of the smallest normal float, -87.337.
constexpr float kLowestExponent = -88.0f;

// The larger of x and a constant; NaN where x is.
HWY_INLINE Vec AtLeast(Vec x, float bound) {
  const FloatTag d;
#if HWY_TARGET <= HWY_SSSE3
  // Of two operands, x86 gives the second when either is NaN; on Arm, Max gives
  // the number.
  return hn::Max(hn::Set(d, bound), x);
#else
  return hn::IfThenElse(hn::Lt(x, hn::Set(d, bound)), hn::Set(d, bound), x);
#endif
}

// e^x for x <= 88.37, at most 2 ulp off where the result is normal, 0 where it
// would be denormal, NaN for NaN.
//
// x = n ln 2 + r with |r| <= ln 2 / 2; e^x = 2^n e^r. Adding 1.5 * 2^23 + 127
// rounds x / ln 2 to the integer n and leaves n + 127, the exponent field of
// 2^n, in the low bits. ln 2 is split in two so that n times its upper part is
// exact. The polynomial (degree 6, the first two coefficients 1) minimises the
// relative error over that range.
HWY_INLINE Vec Exp(Vec x) {
  const FloatTag d;
  x = AtLeast(x, kLowestExponent);
  const hn::RebindToUnsigned<FloatTag> du;
  const Vec magic = hn::Set(d, 12583039.0f);
  const Vec shifted = hn::MulAdd(x, hn::Set(d, 1.44269504f), magic);
  const Vec n = hn::Sub(shifted, magic);
  Vec r = hn::NegMulAdd(n, hn::Set(d, 0.693359375f), x);
  r = hn::NegMulAdd(n, hn::Set(d, -2.12194440e-4f), r);
  Vec p = hn::Set(d, 0.00138145417f);
  p = hn::MulAdd(p, r, hn::Set(d, 0.00836874638f));
  p = hn::MulAdd(p, r, hn::Set(d, 0.041668389f));
  p = hn::MulAdd(p, r, hn::Set(d, 0.166665211f));
  p = hn::MulAdd(p, r, hn::Set(d, 0.49999994f));
  p = hn::MulAdd(p, r, hn::Set(d, 1.0f));
  p = hn::MulAdd(p, r, hn::Set(d, 1.0f));
  const Vec power = hn::BitCast(d, hn::ShiftLeft<23>(hn::BitCast(du, shifted)));
  return hn::Mul(p, power);
}

// The same for one number, with the same bits.
HWY_INLINE float ExpOf(float x) {
  return hn::GetLane(Exp(hn::Set(FloatTag(), x)));
}

}  // namespace keylens::internal::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // KEYLENS_SRC_ATTENTION_TILE_EXP_INL_H_
