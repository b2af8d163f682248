// Decoding with 8-bit keys and values; see CacheElement::kInt8.

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "src/attention/passes/kernels_int8.cc"
#include <hwy/foreach_target.h>  // before the headers that are compiled for each

#include <cstdint>

#ifndef KEYLENS_ELEMENT
#define KEYLENS_ELEMENT
namespace keylens::internal {
using Element = int8_t;
}
#endif

#include "src/attention/passes/decode_kernels-inl.h"
