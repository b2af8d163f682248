// Decoding with 8-bit keys and values; see CacheElement::kInt8.

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "src/attention/kernels_int8.cc"
#include <hwy/foreach_target.h>  // before the headers that are compiled for each

#include "src/attention/decode-inl.h"

HWY_BEFORE_NAMESPACE();
namespace keylens::internal::HWY_NAMESPACE {

void DecodeInt8(const Problem& problem, const DecodeUnit& unit,
                const float* query, const KeyValueSource<int8_t>& source,
                const DecodePartial& partial) {
  DecodePart(problem, unit, query, source, partial);
}

void DecodeFinalInt8(const Problem& problem, const DecodeUnit& unit,
                     const float* query, const KeyValueSource<int8_t>& source,
                     const float* logsumexp, float* out) {
  DecodeFinal(problem, unit, query, source, logsumexp, out);
}

}  // namespace keylens::internal::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace keylens::internal {

HWY_EXPORT(DecodeInt8);
HWY_EXPORT(DecodeFinalInt8);

template <>
void RunDecode(const Problem& problem, const DecodeUnit& unit,
               const float* query, const KeyValueSource<int8_t>& source,
               const DecodePartial& partial) {
  HWY_DYNAMIC_DISPATCH(DecodeInt8)(problem, unit, query, source, partial);
}

template <>
void RunDecodeFinal(const Problem& problem, const DecodeUnit& unit,
                    const float* query, const KeyValueSource<int8_t>& source,
                    const float* logsumexp, float* out) {
  HWY_DYNAMIC_DISPATCH(DecodeFinalInt8)
  (problem, unit, query, source, logsumexp, out);
}

}  // namespace keylens::internal
#endif  // HWY_ONCE
