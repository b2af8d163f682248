// What each kernels_TYPE.cc defines, for its Element: the passes, compiled for
// each instruction set, and the choice among them.

#if defined(KEYLENS_SRC_ATTENTION_KERNELS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef KEYLENS_SRC_ATTENTION_KERNELS_INL_H_
#undef KEYLENS_SRC_ATTENTION_KERNELS_INL_H_
#else
#define KEYLENS_SRC_ATTENTION_KERNELS_INL_H_
#endif

#include "src/attention/backward-inl.h"
#include "src/attention/decode-inl.h"
#include "src/attention/forward-inl.h"
#include "src/attention/inspect-inl.h"
#include "src/attention/kernels.h"

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

void DecodeElements(const Problem& problem, const DecodeUnit& unit,
                    const float* query, const KeyValueSource<Element>& source,
                    const DecodePartial& partial) {
  DecodePart(problem, unit, query, source, partial);
}

void DecodeFinalElements(const Problem& problem, const DecodeUnit& unit,
                         const float* query,
                         const KeyValueSource<Element>& source,
                         const float* logsumexp, float* out) {
  DecodeFinal(problem, unit, query, source, logsumexp, out);
}

}  // namespace keylens::internal::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace keylens::internal {

HWY_EXPORT(ForwardElements);
HWY_EXPORT(ForwardKeptElements);
HWY_EXPORT(InspectElements);
HWY_EXPORT(BackwardElements);
HWY_EXPORT(DecodeElements);
HWY_EXPORT(DecodeFinalElements);

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

template <>
void RunDecode(const Problem& problem, const DecodeUnit& unit,
               const float* query, const KeyValueSource<Element>& source,
               const DecodePartial& partial) {
  HWY_DYNAMIC_DISPATCH(DecodeElements)(problem, unit, query, source, partial);
}

template <>
void RunDecodeFinal(const Problem& problem, const DecodeUnit& unit,
                    const float* query, const KeyValueSource<Element>& source,
                    const float* logsumexp, float* out) {
  HWY_DYNAMIC_DISPATCH(DecodeFinalElements)
  (problem, unit, query, source, logsumexp, out);
}

}  // namespace keylens::internal
#endif  // HWY_ONCE

#endif  // KEYLENS_SRC_ATTENTION_KERNELS_INL_H_
