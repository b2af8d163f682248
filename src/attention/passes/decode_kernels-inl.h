// The part of kernels-inl.h that reads keys and values where they lie: of every
// Element that a cache can hold.

#if defined(KEYLENS_SRC_ATTENTION_PASSES_DECODE_KERNELS_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef KEYLENS_SRC_ATTENTION_PASSES_DECODE_KERNELS_INL_H_
#undef KEYLENS_SRC_ATTENTION_PASSES_DECODE_KERNELS_INL_H_
#else
#define KEYLENS_SRC_ATTENTION_PASSES_DECODE_KERNELS_INL_H_
#endif

#include "src/attention/passes/decode-inl.h"

HWY_BEFORE_NAMESPACE();
namespace keylens::internal::HWY_NAMESPACE {

void DecodeElements(const Problem& problem, const DecodeUnit& unit,
                    const float* query, const KeyValueSource<Element>& source,
                    const DecodePartial& partial) {
  DecodePart(problem, unit, query, source, partial);
}

void DecodeFinalElements(const Problem& problem, const DecodeUnit& unit,
                         const float* query,
                         const KeyValueSource<Element>& source,
                         const float* logsumexp, float* out) {
  DecodeFinal(problem, unit, query, source, logsumexp, out);
}

}  // namespace keylens::internal::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace keylens::internal {

HWY_EXPORT(DecodeElements);
HWY_EXPORT(DecodeFinalElements);

template <>
void RunDecode(const Problem& problem, const DecodeUnit& unit,
               const float* query, const KeyValueSource<Element>& source,
               const DecodePartial& partial) {
  HWY_DYNAMIC_DISPATCH(DecodeElements)(problem, unit, query, source, partial);
}

template <>
void RunDecodeFinal(const Problem& problem, const DecodeUnit& unit,
                    const float* query, const KeyValueSource<Element>& source,
                    const float* logsumexp, float* out) {
  HWY_DYNAMIC_DISPATCH(DecodeFinalElements)
  (problem, unit, query, source, logsumexp, out);
}

}  // namespace keylens::internal
#endif  // HWY_ONCE

#endif  // KEYLENS_SRC_ATTENTION_PASSES_DECODE_KERNELS_INL_H_
