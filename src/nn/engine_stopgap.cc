// TEMPORARY: the engine's functions, slowly, over the oracle's plain loops,
// until keylens::attention defines them. Then this file goes; nothing else
// changes.
#include <keylens/attention.h>

#include "src/attention/reference.h"

namespace keylens {
namespace {

template <typename Real, int kRank>
void CopyOut(const std::vector<Real>& from,
             const TensorView<float, kRank>& to) {
  if (to.data == nullptr) return;
  for (int64_t i = 0; i < static_cast<int64_t>(from.size()); ++i) {
    int64_t rest = i, offset = 0;
    for (int axis = kRank; axis-- > 0;) {
      offset += rest % to.shape[axis] * to.strides[axis];
      rest /= to.shape[axis];
    }
    to.data[offset] = from[i];
  }
}

}  // namespace

template <>
void AttentionForward<float>(const AttentionInputs<float>& inputs,
                             const AttentionOptions& options,
                             const AttentionOutputs<float>& outputs,
                             const Inspection* inspection) {
  const auto result = ReferenceForward<float>(inputs, options);
  CopyOut(result.out, outputs.out);
  CopyOut(result.logsumexp, outputs.logsumexp);
  if (inspection != nullptr) CopyOut(result.weights, inspection->weights);
}

template <>
void AttentionBackward<float>(const AttentionInputs<float>& inputs,
                              const AttentionOptions& options,
                              const AttentionOutputs<float>&,
                              TensorView<const float, 4> out_grad,
                              const AttentionGradients<float>& gradients) {
  const auto result = ReferenceBackward<float>(inputs, options, out_grad);
  CopyOut(result.query, gradients.query);
  CopyOut(result.key, gradients.key);
  CopyOut(result.value, gradients.value);
}

}  // namespace keylens
