#ifndef KEYLENS_PACKED_SEQUENCES_H_
#define KEYLENS_PACKED_SEQUENCES_H_

#include <keylens/attention.h>

#include <cstdint>
#include <span>

// Attention over sequences of different lengths that lie end to end, without
// padding. Views have a batch axis of length 1, and a length axis with the
// queries (or keys) of all sequences:
//
//   query [1, num_heads, queries of all, head_dim]
//   key   [1, num_kv_heads, keys of all, head_dim]
//
// and so on. Queries see the keys of their own sequence alone; masks, score
// mods and dropout know a sequence as a batch entry with its own lengths
// (ScoreShape has the longest). Each sequence gets the bits that it would get
// by itself.

namespace keylens {

// Where sequences begin: sequence s has the queries [query[s], query[s + 1])
// and the keys [key[s], key[s + 1]). Both start at 0, never fall, end with the
// length of their axis, and have one entry more than there are sequences; a
// sequence may be empty.
struct SequenceOffsets {
  std::span<const int64_t> query;
  std::span<const int64_t> key;
};

// T is float, BFloat16 or Float16. Errors: as AttentionForward, and offsets
// that are not as above.
template <typename T>
void AttentionForwardPacked(const AttentionInputs<T>& inputs,
                            const SequenceOffsets& offsets,
                            const AttentionOptions& options,
                            const AttentionOutputs<T>& outputs);

// gradients.relevance must be null.
template <typename T>
void AttentionBackwardPacked(
    const AttentionInputs<T>& inputs, const SequenceOffsets& offsets,
    const AttentionOptions& options, const AttentionOutputs<T>& forward,
    std::type_identity_t<TensorView<const T, 4>> out_grad,
    const AttentionGradients<T>& gradients);

}  // namespace keylens

#endif  // KEYLENS_PACKED_SEQUENCES_H_
