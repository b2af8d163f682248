#ifndef KEYLENS_SRC_ATTENTION_PASSES_KERNELS_H_
#define KEYLENS_SRC_ATTENTION_PASSES_KERNELS_H_

#include <keylens/attention.h>

#include "src/attention/plan/problem.h"

namespace keylens::internal {

// The passes for one element type, each with the best instruction set that the
// machine has. Arguments were checked. One unit per element type defines them:
// kernels_float.cc, kernels_bfloat16.cc, kernels_float16.cc.

template <typename T>
void RunForward(const Problem& problem, const AttentionInputs<T>& inputs,
                const AttentionOutputs<T>& outputs);

// Forward with statistics, in one pass. Only where RowsAreKept(problem).
template <typename T>
void RunForwardKept(const Problem& problem, const AttentionInputs<T>& inputs,
                    const AttentionOutputs<T>& outputs,
                    const Inspection& inspection);

template <typename T>
void RunInspect(const Problem& problem, const AttentionInputs<T>& inputs,
                const TensorView<const float, 3>& logsumexp,
                const Inspection& inspection);

template <typename T>
void RunBackward(const Problem& problem, const AttentionInputs<T>& inputs,
                 const AttentionOutputs<T>& forward,
                 const TensorView<const T, 4>& out_grad,
                 const AttentionGradients<T>& gradients);

}  // namespace keylens::internal

#endif  // KEYLENS_SRC_ATTENTION_PASSES_KERNELS_H_
