#ifndef KEYLENS_SRC_ATTENTION_PASSES_SINK_GRADIENT_H_
#define KEYLENS_SRC_ATTENTION_PASSES_SINK_GRADIENT_H_

#include <keylens/attention.h>

#include "src/attention/plan/problem.h"

namespace keylens::internal {

// Writes the gradient of the loss by each head's sink: minus the sum over its
// rows of exp(sink - logsumexp) out . out_grad. `sinks` has data.
template <typename T>
void WriteSinkGradient(const Problem& problem,
                       const AttentionOutputs<T>& forward,
                       const TensorView<const T, 4>& out_grad,
                       const TensorView<float, 1>& sinks);

}  // namespace keylens::internal

#endif  // KEYLENS_SRC_ATTENTION_PASSES_SINK_GRADIENT_H_
