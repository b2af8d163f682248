#ifndef KEYLENS_SRC_NN_INFERENCE_ROW_KERNELS_H_
#define KEYLENS_SRC_NN_INFERENCE_ROW_KERNELS_H_

#include <keylens/nn/block_options.h>

#include <cstdint>

// Arithmetic of inference on rows [n, size], dense, float: what a layer does
// with each position between its attentions. A row gets the same bits whatever
// rows are beside it, so that what a model says to one input does not depend on
// the batch it came in. No torch here, and no threads: callers split rows.

namespace keylens::nn {

// The columns of a packed matrix that lie side by side.
inline constexpr int64_t kPanelColumns = 16;

// Floats that PackWeight writes.
int64_t PackedSize(int64_t in, int64_t out);

// weight [out, in], row-major -> panels [ceil(out / 16), in, 16], the last one
// filled up with zeros. `packed` lies on a boundary of 64 bytes.
void PackWeight(const float* weight, int64_t in, int64_t out, float* packed);

// Writes columns first_column to first_column + count of such panels, from
// their rows [count, in] of the weight.
void PackColumns(const float* rows, int64_t in, int64_t count,
                 int64_t first_column, float* packed);

// y [n, out] = x [n, in] weight^T + bias, or y += that where `add`. `bias` has
// PackedSize(1, out) floats, on a boundary of 64 bytes. x and y do not overlap.
void MultiplyRows(const float* x, int64_t n, int64_t in, const float* packed,
                  const float* bias, int64_t out, bool add, float* y);

// Each row less its mean, over its standard deviation, times scale, plus shift
// (Ba et al.: Layer normalization). y may be x.
void NormalizeRows(const float* x, int64_t n, int64_t size, const float* scale,
                   const float* shift, float epsilon, float* y);

// The activation of each element, in place: of x [n, size]; of a gated one x is
// [n, 2 * size], and the result the first n * size elements. gelu and silu are
// 3e-7 |x| off at most, however small their values become.
void ActivateRows(float* x, int64_t n, int64_t size, Activation activation);

// ln of the sum of e^x over `count` >= 1 finite numbers.
float LogSumExp(const float* x, int64_t count);

}  // namespace keylens::nn

#endif  // KEYLENS_SRC_NN_INFERENCE_ROW_KERNELS_H_
