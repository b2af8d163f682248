#include <keylens/nn/attention.h>

#include "src/nn/attention_call.h"
#include "src/nn/function_inputs.h"
#include "src/nn/strided.h"

namespace keylens::nn {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

// Shape [batch, heads, query_len, value_dim], in the memory order of the query.
torch::Tensor EmptyOutput(const AttentionTensors& inputs) {
  return EmptyInOrderOf(inputs.query,
                        {inputs.query.size(0), inputs.query.size(1),
                         inputs.query.size(2), inputs.value.size(3)});
}

class AttentionFunction : public torch::autograd::Function<AttentionFunction> {
 public:
  static torch::Tensor forward(AutogradContext* ctx, const torch::Tensor& query,
                               const torch::Tensor& key,
                               const torch::Tensor& value,
                               const AttentionFuncOptions& options) {
    const AttentionTensors inputs{query, key, value};
    torch::Tensor out = EmptyOutput(inputs);
    torch::Tensor logsumexp =
        at::empty({query.size(0), query.size(1), query.size(2)});
    RunForward(inputs, options, out, logsumexp);
    ctx->save_for_backward({query, key, value, out, logsumexp});
    ctx->saved_data["options"] = KeepOptions(options);
    return out;
  }

  static variable_list backward(AutogradContext* ctx,
                                const variable_list& out_grads) {
    RefuseSecondDerivative("Attention");
    const variable_list saved = ctx->get_saved_variables();
    const AttentionTensors inputs{saved[0], saved[1], saved[2]};
    AttentionTensors gradients;
    if (ctx->needs_input_grad(0))
      gradients.query = EmptyInOrderOf(inputs.query, inputs.query.sizes());
    if (ctx->needs_input_grad(1))
      gradients.key = EmptyInOrderOf(inputs.key, inputs.key.sizes());
    if (ctx->needs_input_grad(2))
      gradients.value = EmptyInOrderOf(inputs.value, inputs.value.sizes());
    RunBackward(inputs, KeptOptions(ctx->saved_data["options"]), saved[3],
                saved[4], out_grads[0], gradients);
    return {gradients.query, gradients.key, gradients.value, torch::Tensor()};
  }
};

}  // namespace

torch::Tensor Attention(const torch::Tensor& query, const torch::Tensor& key,
                        const torch::Tensor& value,
                        const AttentionFuncOptions& options) {
  CheckTensor("Attention", "query", query, 4);
  CheckTensor("Attention", "key", key, 4);
  CheckTensor("Attention", "value", value, 4);
  const bool recorded =
      at::GradMode::is_enabled() &&
      (query.requires_grad() || key.requires_grad() || value.requires_grad());
  if (recorded) return AttentionFunction::apply(query, key, value, options);
  const AttentionTensors inputs{query, key, value};
  torch::Tensor out = EmptyOutput(inputs);
  RunForward(inputs, options, out, torch::Tensor());
  return out;
}

}  // namespace keylens::nn
