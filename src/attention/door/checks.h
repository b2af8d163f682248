#ifndef KEYLENS_SRC_ATTENTION_DOOR_CHECKS_H_
#define KEYLENS_SRC_ATTENTION_DOOR_CHECKS_H_

#include <keylens/attention.h>
#include <keylens/key_value_cache.h>
#include <keylens/packed_sequences.h>

#include "src/attention/plan/problem.h"

namespace keylens::internal {

// The checks at the door. Each returns the call's Problem, or throws
// std::invalid_argument, whose text starts with the name of the public function
// and quotes the shapes.

template <typename T>
Problem CheckForward(const AttentionInputs<T>& inputs,
                     const AttentionOptions& options,
                     const AttentionOutputs<T>& outputs,
                     const Inspection* inspection);

// Of AttentionDecode; the longest sequence is longest_kv_len.
template <typename T>
Problem CheckDecode(const TensorView<const T, 4>& query,
                    const KeyValueCacheOptions& cache, int64_t num_sequences,
                    int64_t longest_kv_len, const AttentionOptions& options,
                    const AttentionOutputs<T>& outputs);

template <typename T>
Problem CheckBackward(const AttentionInputs<T>& inputs,
                      const AttentionOptions& options,
                      const AttentionOutputs<T>& forward,
                      const TensorView<const T, 4>& out_grad,
                      const AttentionGradients<T>& gradients);

// Of packed sequences: a Problem with all of them as one batch entry.
template <typename T>
Problem CheckPackedForward(const AttentionInputs<T>& inputs,
                           const SequenceOffsets& offsets,
                           const AttentionOptions& options,
                           const AttentionOutputs<T>& outputs);
template <typename T>
Problem CheckPackedBackward(const AttentionInputs<T>& inputs,
                            const SequenceOffsets& offsets,
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

#endif  // KEYLENS_SRC_ATTENTION_DOOR_CHECKS_H_
