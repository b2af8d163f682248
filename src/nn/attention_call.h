#ifndef KEYLENS_SRC_NN_ATTENTION_CALL_H_
#define KEYLENS_SRC_NN_ATTENTION_CALL_H_

#include <keylens/nn/attention.h>

#include <cstdint>
#include <span>

namespace keylens::nn {

// One call of the engine on tensors that are already [batch, heads, len, dim];
// no autograd.
struct AttentionTensors {
  torch::Tensor query, key, value;
};

// Writes `out` and, where it is defined, `logsumexp` [batch, heads, query_len];
// fills options.report.
void RunForward(const AttentionTensors& inputs,
                const AttentionFuncOptions& options, const torch::Tensor& out,
                const torch::Tensor& logsumexp);

// Writes those gradients that are defined.
void RunBackward(const AttentionTensors& inputs,
                 const AttentionFuncOptions& options, const torch::Tensor& out,
                 const torch::Tensor& logsumexp, const torch::Tensor& out_grad,
                 const AttentionTensors& gradients);

// Writes `relevance` [batch, heads, query groups, key groups]: see
// AttentionGradients::relevance.
void RunRelevance(const AttentionTensors& inputs,
                  const AttentionFuncOptions& options, const torch::Tensor& out,
                  const torch::Tensor& logsumexp, const torch::Tensor& out_grad,
                  std::span<const int32_t> query_group,
                  std::span<const int32_t> key_group,
                  const torch::Tensor& relevance);

// `options` as a backward pass needs them, to be stored in an AutogradContext.
c10::IValue KeepOptions(const AttentionFuncOptions& options);
const AttentionFuncOptions& KeptOptions(const c10::IValue& kept);

}  // namespace keylens::nn

#endif  // KEYLENS_SRC_NN_ATTENTION_CALL_H_
