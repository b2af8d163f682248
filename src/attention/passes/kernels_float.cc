// The kernels for float.

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "src/attention/passes/kernels_float.cc"
#include <hwy/foreach_target.h>  // before the headers that are compiled for each
#include <keylens/small_float.h>

#ifndef KEYLENS_ELEMENT
#define KEYLENS_ELEMENT
namespace keylens::internal {
using Element = float;
}
#endif

#include "src/attention/passes/kernels-inl.h"
