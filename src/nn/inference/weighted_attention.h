#ifndef KEYLENS_SRC_NN_INFERENCE_WEIGHTED_ATTENTION_H_
#define KEYLENS_SRC_NN_INFERENCE_WEIGHTED_ATTENTION_H_

#include <keylens/attention.h>
#include <keylens/mask.h>

#include "src/nn/inference/block.h"

namespace keylens::nn {

// Queries, keys and values that lie side by side in rows of projections.
AttentionInputs<float> SelfAttentionViews(const AttentionBlock& layer,
                                          int64_t heads, const float* projected,
                                          int64_t n);

// Rows [n, hidden_size] as the heads that attention writes.
TensorView<float, 4> AttendedView(const AttentionBlock& layer, int64_t heads,
                                  float* attended, int64_t n);

// Attention of a batch of one by one thread, and its weights.
AttentionWeights AttendWithWeights(const AttentionInputs<float>& inputs,
                                   const Mask* mask,
                                   const TensorView<float, 4>& out);

}  // namespace keylens::nn

#endif  // KEYLENS_SRC_NN_INFERENCE_WEIGHTED_ATTENTION_H_
