// The kernels for BFloat16.

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "src/attention/passes/kernels_bfloat16.cc"
#include <hwy/foreach_target.h>  // before the headers that are compiled for each
#include <keylens/small_float.h>

#ifndef KEYLENS_ELEMENT
#define KEYLENS_ELEMENT
namespace keylens::internal {
using Element = BFloat16;
}
#endif

#include "src/attention/passes/kernels-inl.h"
