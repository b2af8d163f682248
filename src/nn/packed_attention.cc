#include <keylens/nn/attention.h>

#include "src/nn/attention_call.h"
#include "src/nn/function_inputs.h"
#include "src/nn/strided.h"

namespace keylens::nn {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

// [batch, heads * dim, positions] seen as [batch, heads, positions, dim].
torch::Tensor AsHeads(const torch::Tensor& map, int64_t heads) {
  const int64_t batch = map.size(0), dim = map.size(1) / heads;
  return map.as_strided(
      {batch, heads, map.size(2), dim},
      {map.stride(0), dim * map.stride(1), map.stride(2), map.stride(1)});
}

AttentionTensors Unpack(const torch::Tensor& packed, int64_t heads) {
  const int64_t inner = packed.size(1) / 3;
  return {AsHeads(packed.narrow(1, 0, inner), heads),
          AsHeads(packed.narrow(1, inner, inner), heads),
          AsHeads(packed.narrow(1, 2 * inner, inner), heads)};
}

// [batch, heads * dim, positions], in the memory order of `packed`.
torch::Tensor EmptyOutput(const torch::Tensor& packed) {
  return EmptyInOrderOf(packed,
                        {packed.size(0), packed.size(1) / 3, packed.size(2)});
}

class PackedAttentionFunction
    : public torch::autograd::Function<PackedAttentionFunction> {
 public:
  static torch::Tensor forward(AutogradContext* ctx,
                               const torch::Tensor& packed, int64_t heads,
                               const AttentionFuncOptions& options) {
    const AttentionTensors inputs = Unpack(packed, heads);
    torch::Tensor out = EmptyOutput(packed);
    torch::Tensor logsumexp =
        at::empty({packed.size(0), heads, inputs.query.size(2)});
    RunForward(inputs, options, AsHeads(out, heads), logsumexp);
    ctx->save_for_backward({packed, out, logsumexp});
    ctx->saved_data["heads"] = heads;
    ctx->saved_data["options"] = KeepOptions(options);
    return out;
  }

  static variable_list backward(AutogradContext* ctx,
                                const variable_list& out_grads) {
    RefuseSecondDerivative("PackedAttention");
    const variable_list saved = ctx->get_saved_variables();
    const int64_t heads = ctx->saved_data["heads"].toInt();
    const torch::Tensor gradient = EmptyInOrderOf(saved[0], saved[0].sizes());
    RunBackward(Unpack(saved[0], heads),
                KeptOptions(ctx->saved_data["options"]),
                AsHeads(saved[1], heads), saved[2],
                AsHeads(out_grads[0], heads), Unpack(gradient, heads));
    return {gradient, torch::Tensor(), torch::Tensor()};
  }
};

}  // namespace

torch::Tensor PackedAttention(const torch::Tensor& packed, int64_t heads,
                              const AttentionFuncOptions& options) {
  TORCH_CHECK(packed.defined() && packed.dim() >= 3,
              "PackedAttention: [batch, channels, len...] is expected");
  CheckTensor("PackedAttention", "packed", packed, packed.dim());
  TORCH_CHECK(heads > 0 && packed.size(1) % (3 * heads) == 0,
              "PackedAttention: ", packed.size(1),
              " channels are not three times a multiple of ", heads, " heads");
  std::vector<int64_t> shape = packed.sizes().vec();
  shape[1] /= 3;
  const torch::Tensor rows =
      packed.flatten(2);  // a view, of contiguous and of channels_last maps
  if (at::GradMode::is_enabled() && packed.requires_grad()) {
    return PackedAttentionFunction::apply(rows, heads, options).view(shape);
  }
  torch::Tensor out = EmptyOutput(rows);
  RunForward(Unpack(rows, heads), options, AsHeads(out, heads),
             torch::Tensor());
  return out.view(shape);
}

}  // namespace keylens::nn
