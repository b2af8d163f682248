#ifndef KEYLENS_SRC_ATTENTION_CHECKS_H_
#define KEYLENS_SRC_ATTENTION_CHECKS_H_

#include <keylens/attention.h>

#include "src/attention/problem.h"

namespace keylens::internal {

// The checks at the door. Each returns the call's Problem, or throws
// std::invalid_argument, whose text starts with the name of the public function
// and quotes the shapes.

template <typename T>
Problem CheckForward(const AttentionInputs<T>& inputs,
                     const AttentionOptions& options,
                     const AttentionOutputs<T>& outputs,
                     const Inspection* inspection);

template <typename T>
Problem CheckBackward(const AttentionInputs<T>& inputs,
                      const AttentionOptions& options,
                      const AttentionOutputs<T>& forward,
                      const TensorView<const T, 4>& out_grad,
                      const AttentionGradients<T>& gradients);

template <typename T>
Problem CheckInspect(const AttentionInputs<T>& inputs,
                     const AttentionOptions& options,
                     const TensorView<const float, 3>& logsumexp,
                     const Inspection& inspection);

}  // namespace keylens::internal

#endif  // KEYLENS_SRC_ATTENTION_CHECKS_H_
