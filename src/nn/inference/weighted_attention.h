#ifndef KEYLENS_SRC_NN_INFERENCE_WEIGHTED_ATTENTION_H_
#define KEYLENS_SRC_NN_INFERENCE_WEIGHTED_ATTENTION_H_

#include <keylens/attention.h>
#include <keylens/mask.h>

#include <memory>

#include "src/nn/inference/block.h"

namespace keylens::nn {

// Queries, keys and values that lie side by side in rows of projections: those
// of `rows` and of [0, keys).
AttentionInputs<float> SelfAttentionViews(const AttentionBranch& layer,
                                          const float* projected,
                                          const RowRange& rows, int64_t keys);

// Rows [n, width] as the heads that attention writes.
TensorView<float, 4> AttendedView(const AttentionBranch& layer, float* attended,
                                  int64_t n);

// A mask of a stack that is causal, else null. Queries are the last rows of
// what they see.
std::unique_ptr<Mask> CausalMaskOf(const BlockOptions& options);

// Attention of a batch of one by one thread; its weights too where `weights` is
// not null.
void Attend(const AttentionInputs<float>& inputs, const Mask* mask,
            const TensorView<float, 4>& out, AttentionWeights* weights);

}  // namespace keylens::nn

#endif  // KEYLENS_SRC_NN_INFERENCE_WEIGHTED_ATTENTION_H_
