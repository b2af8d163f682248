// What each kernels_TYPE.cc defines, for its Element: the passes, compiled for
// each instruction set, and the choice among them.

#if defined(KEYLENS_SRC_ATTENTION_PASSES_KERNELS_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef KEYLENS_SRC_ATTENTION_PASSES_KERNELS_INL_H_
#undef KEYLENS_SRC_ATTENTION_PASSES_KERNELS_INL_H_
#else
#define KEYLENS_SRC_ATTENTION_PASSES_KERNELS_INL_H_
#endif

#include "src/attention/passes/backward-inl.h"
#include "src/attention/passes/decode_kernels-inl.h"
#include "src/attention/passes/forward-inl.h"
#include "src/attention/passes/inspect-inl.h"
#include "src/attention/passes/kernels.h"

HWY_BEFORE_NAMESPACE();
namespace keylens::internal::HWY_NAMESPACE {

void ForwardElements(const Problem& problem,
                     const AttentionInputs<Element>& inputs,
                     const AttentionOutputs<Element>& outputs) {
  ForwardPlain(problem, inputs, outputs);
}

void ForwardKeptElements(const Problem& problem,
                         const AttentionInputs<Element>& inputs,
                         const AttentionOutputs<Element>& outputs,
                         const Inspection& inspection) {
  ForwardKept(problem, inputs, outputs, inspection);
}

void InspectElements(const Problem& problem,
                     const AttentionInputs<Element>& inputs,
                     const TensorView<const float, 3>& logsumexp,
                     const Inspection& inspection) {
  Inspect(problem, inputs, logsumexp, inspection);
}

void BackwardElements(const Problem& problem,
                      const AttentionInputs<Element>& inputs,
                      const AttentionOutputs<Element>& forward,
                      const TensorView<const Element, 4>& out_grad,
                      const AttentionGradients<Element>& gradients) {
  Backward(problem,
           BackwardViews<Element>{inputs, forward, out_grad, gradients});
}

}  // namespace keylens::internal::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace keylens::internal {

HWY_EXPORT(ForwardElements);
HWY_EXPORT(ForwardKeptElements);
HWY_EXPORT(InspectElements);
HWY_EXPORT(BackwardElements);

template <>
void RunForward(const Problem& problem, const AttentionInputs<Element>& inputs,
                const AttentionOutputs<Element>& outputs) {
  HWY_DYNAMIC_DISPATCH(ForwardElements)(problem, inputs, outputs);
}

template <>
void RunForwardKept(const Problem& problem,
                    const AttentionInputs<Element>& inputs,
                    const AttentionOutputs<Element>& outputs,
                    const Inspection& inspection) {
  HWY_DYNAMIC_DISPATCH(ForwardKeptElements)
  (problem, inputs, outputs, inspection);
}

template <>
void RunInspect(const Problem& problem, const AttentionInputs<Element>& inputs,
                const TensorView<const float, 3>& logsumexp,
                const Inspection& inspection) {
  HWY_DYNAMIC_DISPATCH(InspectElements)(problem, inputs, logsumexp, inspection);
}

template <>
void RunBackward(const Problem& problem, const AttentionInputs<Element>& inputs,
                 const AttentionOutputs<Element>& forward,
                 const TensorView<const Element, 4>& out_grad,
                 const AttentionGradients<Element>& gradients) {
  HWY_DYNAMIC_DISPATCH(BackwardElements)
  (problem, inputs, forward, out_grad, gradients);
}

}  // namespace keylens::internal
#endif  // HWY_ONCE

#endif  // KEYLENS_SRC_ATTENTION_PASSES_KERNELS_INL_H_
