#include <keylens/attention.h>

#include "src/attention/door/check_options.h"
#include "src/attention/door/checks.h"
#include "src/attention/passes/decode.h"
#include "src/attention/passes/kernels.h"
#include "src/attention/passes/passes.h"
#include "src/attention/passes/sink_gradient.h"
#include "src/attention/plan/aligned_array.h"
#include "src/attention/plan/plan.h"

namespace keylens {

template <typename T>
void internal::ForwardAlone(const Problem& problem,
                            const AttentionInputs<T>& inputs,
                            const AttentionOutputs<T>& outputs) {
  if (IsDecoded(problem)) {
    DecodeInputs(problem, inputs, outputs);
  } else {
    RunForward(problem, inputs, outputs);
  }
}

void internal::BeginBackward(const Problem& problem, const ScoreShape& scores) {
  for (const ScoreMod* mod : problem.score_mods) mod->BeginBackward(scores);
}

void internal::EndBackward(const Problem& problem) {
  for (const ScoreMod* mod : problem.score_mods) mod->EndBackward();
}

namespace {

using internal::ForwardAlone;
using internal::Problem;

// Statistics of rows too long to be kept: a second pass, from the logsumexp of
// the first.
template <typename T>
void ForwardThenInspect(const Problem& problem,
                        const AttentionInputs<T>& inputs,
                        AttentionOutputs<T> outputs,
                        const Inspection& inspection) {
  internal::AlignedArray<float> own_logsumexp;
  if (outputs.logsumexp.data == nullptr) {
    own_logsumexp = internal::AlignedArray<float>(
        problem.batch * problem.num_heads * problem.query_len);
    outputs.logsumexp =
        Contiguous(own_logsumexp.get(),
                   {problem.batch, problem.num_heads, problem.query_len});
  }
  ForwardAlone(problem, inputs, outputs);
  internal::RunInspect<T>(problem, inputs, outputs.logsumexp, inspection);
}

}  // namespace

template <typename T>
void AttentionForward(const AttentionInputs<T>& inputs,
                      const AttentionOptions& options,
                      const AttentionOutputs<T>& outputs,
                      const Inspection* inspection) {
  const Problem problem =
      internal::CheckForward(inputs, options, outputs, inspection);
  if (inspection == nullptr) {
    ForwardAlone(problem, inputs, outputs);
  } else if (internal::RowsAreKept(problem)) {
    internal::RunForwardKept(problem, inputs, outputs, *inspection);
    // Statistics change no bit of the outputs.
    if (internal::IsDecoded(problem))
      internal::DecodeInputs(problem, inputs, outputs);
  } else {
    ForwardThenInspect(problem, inputs, outputs, *inspection);
  }
}

template <typename T>
void AttentionBackward(const AttentionInputs<T>& inputs,
                       const AttentionOptions& options,
                       const AttentionOutputs<T>& forward,
                       std::type_identity_t<TensorView<const T, 4>> out_grad,
                       const AttentionGradients<T>& gradients) {
  const Problem problem =
      internal::CheckBackward(inputs, options, forward, out_grad, gradients);
  internal::BeginBackward(problem, internal::ScoresOf(problem));
  internal::RunBackward(problem, inputs, forward, out_grad, gradients);
  internal::EndBackward(problem);
  if (gradients.sinks.data != nullptr) {
    internal::WriteSinkGradient(problem, forward, out_grad, gradients.sinks);
  }
}

template <typename T>
void AttentionInspect(
    const AttentionInputs<T>& inputs, const AttentionOptions& options,
    std::type_identity_t<TensorView<const float, 3>> logsumexp,
    const Inspection& inspection) {
  const Problem problem =
      internal::CheckInspect(inputs, options, logsumexp, inspection);
  internal::RunInspect(problem, inputs, logsumexp, inspection);
}

template void internal::ForwardAlone(const Problem&,
                                     const AttentionInputs<float>&,
                                     const AttentionOutputs<float>&);
template void AttentionForward(const AttentionInputs<float>&,
                               const AttentionOptions&,
                               const AttentionOutputs<float>&,
                               const Inspection*);
template void AttentionBackward(const AttentionInputs<float>&,
                                const AttentionOptions&,
                                const AttentionOutputs<float>&,
                                TensorView<const float, 4>,
                                const AttentionGradients<float>&);
template void AttentionInspect(const AttentionInputs<float>&,
                               const AttentionOptions&,
                               TensorView<const float, 3>, const Inspection&);

template void internal::ForwardAlone(const Problem&,
                                     const AttentionInputs<BFloat16>&,
                                     const AttentionOutputs<BFloat16>&);
template void AttentionForward(const AttentionInputs<BFloat16>&,
                               const AttentionOptions&,
                               const AttentionOutputs<BFloat16>&,
                               const Inspection*);
template void AttentionBackward(const AttentionInputs<BFloat16>&,
                                const AttentionOptions&,
                                const AttentionOutputs<BFloat16>&,
                                TensorView<const BFloat16, 4>,
                                const AttentionGradients<BFloat16>&);
template void AttentionInspect(const AttentionInputs<BFloat16>&,
                               const AttentionOptions&,
                               TensorView<const float, 3>, const Inspection&);

template void internal::ForwardAlone(const Problem&,
                                     const AttentionInputs<Float16>&,
                                     const AttentionOutputs<Float16>&);
template void AttentionForward(const AttentionInputs<Float16>&,
                               const AttentionOptions&,
                               const AttentionOutputs<Float16>&,
                               const Inspection*);
template void AttentionBackward(const AttentionInputs<Float16>&,
                                const AttentionOptions&,
                                const AttentionOutputs<Float16>&,
                                TensorView<const Float16, 4>,
                                const AttentionGradients<Float16>&);
template void AttentionInspect(const AttentionInputs<Float16>&,
                               const AttentionOptions&,
                               TensorView<const float, 3>, const Inspection&);

}  // namespace keylens
