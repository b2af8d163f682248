// The kernels for float, compiled once for each instruction set.

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "src/attention/kernels_float.cc"
#include <hwy/foreach_target.h>  // before the headers that are compiled for each

#include "src/attention/backward-inl.h"
#include "src/attention/forward-inl.h"
#include "src/attention/inspect-inl.h"
#include "src/attention/kernels.h"

HWY_BEFORE_NAMESPACE();
namespace keylens::internal::HWY_NAMESPACE {

void ForwardFloat(const Problem& problem, const AttentionInputs<float>& inputs,
                  const AttentionOutputs<float>& outputs) {
  ForwardPlain(problem, inputs, outputs);
}

void ForwardKeptFloat(const Problem& problem,
                      const AttentionInputs<float>& inputs,
                      const AttentionOutputs<float>& outputs,
                      const Inspection& inspection) {
  ForwardKept(problem, inputs, outputs, inspection);
}

void InspectFloat(const Problem& problem, const AttentionInputs<float>& inputs,
                  const TensorView<const float, 3>& logsumexp,
                  const Inspection& inspection) {
  Inspect(problem, inputs, logsumexp, inspection);
}

void BackwardFloat(const Problem& problem, const AttentionInputs<float>& inputs,
                   const AttentionOutputs<float>& forward,
                   const TensorView<const float, 4>& out_grad,
                   const AttentionGradients<float>& gradients) {
  Backward(problem, BackwardViews<float>{inputs, forward, out_grad, gradients});
}

}  // namespace keylens::internal::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace keylens::internal {

HWY_EXPORT(ForwardFloat);
HWY_EXPORT(ForwardKeptFloat);
HWY_EXPORT(InspectFloat);
HWY_EXPORT(BackwardFloat);

template <>
void RunForward(const Problem& problem, const AttentionInputs<float>& inputs,
                const AttentionOutputs<float>& outputs) {
  HWY_DYNAMIC_DISPATCH(ForwardFloat)(problem, inputs, outputs);
}

template <>
void RunForwardKept(const Problem& problem,
                    const AttentionInputs<float>& inputs,
                    const AttentionOutputs<float>& outputs,
                    const Inspection& inspection) {
  HWY_DYNAMIC_DISPATCH(ForwardKeptFloat)(problem, inputs, outputs, inspection);
}

template <>
void RunInspect(const Problem& problem, const AttentionInputs<float>& inputs,
                const TensorView<const float, 3>& logsumexp,
                const Inspection& inspection) {
  HWY_DYNAMIC_DISPATCH(InspectFloat)(problem, inputs, logsumexp, inspection);
}

template <>
void RunBackward(const Problem& problem, const AttentionInputs<float>& inputs,
                 const AttentionOutputs<float>& forward,
                 const TensorView<const float, 4>& out_grad,
                 const AttentionGradients<float>& gradients) {
  HWY_DYNAMIC_DISPATCH(BackwardFloat)
  (problem, inputs, forward, out_grad, gradients);
}

}  // namespace keylens::internal
#endif  // HWY_ONCE
