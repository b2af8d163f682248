#include <keylens/packed_sequences.h>

#include <algorithm>
#include <functional>
#include <numeric>
#include <vector>

#include "src/attention/door/checks.h"
#include "src/attention/passes/kernels.h"
#include "src/attention/passes/passes.h"
#include "src/attention/passes/sink_gradient.h"
#include "src/attention/plan/parallel.h"

namespace keylens {
namespace {

using internal::Problem;

// Rows [begin, end) of the length axis.
template <typename T>
TensorView<T, 4> Rows(TensorView<T, 4> view, int64_t begin, int64_t end) {
  if (view.data != nullptr) view.data += begin * view.strides[2];
  view.shape[2] = end - begin;
  return view;
}

template <typename T>
TensorView<T, 3> Rows(TensorView<T, 3> view, int64_t begin, int64_t end) {
  if (view.data != nullptr) view.data += begin * view.strides[2];
  view.shape[2] = end - begin;
  return view;
}

// One sequence's part of a call.
class Sequence {
 public:
  Sequence(const Problem& call, const SequenceOffsets& offsets, int64_t index)
      : first_query_(offsets.query[static_cast<std::size_t>(index)]),
        end_query_(offsets.query[static_cast<std::size_t>(index) + 1]),
        first_key_(offsets.key[static_cast<std::size_t>(index)]),
        end_key_(offsets.key[static_cast<std::size_t>(index) + 1]),
        problem_(call) {
    problem_.first_batch = index;
    problem_.query_len = end_query_ - first_query_;
    problem_.kv_len = end_key_ - first_key_;
  }

  const Problem& problem() const { return problem_; }

  double Work() const {
    return static_cast<double>(problem_.query_len) *
           static_cast<double>(problem_.kv_len);
  }

  Problem WithThreads(int num_threads) const {
    Problem problem = problem_;
    problem.num_threads = num_threads;
    return problem;
  }

  template <typename View>
  View Queries(const View& view) const {
    return Rows(view, first_query_, end_query_);
  }
  template <typename View>
  View Keys(const View& view) const {
    return Rows(view, first_key_, end_key_);
  }

  template <typename T>
  AttentionInputs<T> Of(const AttentionInputs<T>& all) const {
    return {Queries(all.query), Keys(all.key), Keys(all.value)};
  }
  template <typename T>
  AttentionOutputs<T> Of(const AttentionOutputs<T>& all) const {
    return {Queries(all.out), Queries(all.logsumexp)};
  }

 private:
  int64_t first_query_, end_query_, first_key_, end_key_;
  Problem problem_;
};

std::vector<Sequence> SequencesOf(const Problem& call,
                                  const SequenceOffsets& offsets) {
  std::vector<Sequence> sequences;
  for (std::size_t s = 0; s + 1 < offsets.query.size(); ++s)
    sequences.emplace_back(call, offsets, static_cast<int64_t>(s));
  return sequences;
}

// Runs every sequence: long ones one after the other, each on all threads; the
// others side by side, the longest first.
void RunAll(const Problem& call, std::vector<Sequence> sequences,
            const std::function<void(const Sequence&, int num_threads)>& run) {
  double total = 0;
  for (const Sequence& sequence : sequences) total += sequence.Work();
  const double is_long = total / (2.0 * call.num_threads);
  std::stable_sort(
      sequences.begin(), sequences.end(),
      [](const Sequence& a, const Sequence& b) { return a.Work() > b.Work(); });
  std::size_t first = 0;
  while (first < sequences.size() && sequences[first].Work() >= is_long)
    run(sequences[first++], call.num_threads);
  internal::ParallelFor(static_cast<int64_t>(sequences.size() - first),
                        call.num_threads, [&](int64_t i, int) {
                          run(sequences[first + static_cast<std::size_t>(i)],
                              1);
                        });
}

// As masks and mods know them: batch entries, as long as the longest.
ScoreShape ScoresOf(const Problem& call,
                    const std::vector<Sequence>& sequences) {
  ScoreShape scores;
  scores.batch = static_cast<int64_t>(sequences.size());
  scores.num_heads = call.num_heads;
  for (const Sequence& sequence : sequences) {
    const Problem& problem = sequence.problem();
    scores.query_len = std::max(scores.query_len, problem.query_len);
    scores.kv_len = std::max(scores.kv_len, problem.kv_len);
  }
  return scores;
}

bool AnyModIsOrdered(const Problem& problem) {
  return std::any_of(problem.score_mods.begin(), problem.score_mods.end(),
                     [](const ScoreMod* mod) {
                       return mod->OrderOfBackward() != BackwardOrder::kAny;
                     });
}

}  // namespace

template <typename T>
void AttentionForwardPacked(const AttentionInputs<T>& inputs,
                            const SequenceOffsets& offsets,
                            const AttentionOptions& options,
                            const AttentionOutputs<T>& outputs) {
  const Problem call =
      internal::CheckPackedForward(inputs, offsets, options, outputs);
  RunAll(call, SequencesOf(call, offsets),
         [&](const Sequence& sequence, int num_threads) {
           internal::ForwardAlone(sequence.WithThreads(num_threads),
                                  sequence.Of(inputs), sequence.Of(outputs));
         });
}

template <typename T>
void AttentionBackwardPacked(
    const AttentionInputs<T>& inputs, const SequenceOffsets& offsets,
    const AttentionOptions& options, const AttentionOutputs<T>& forward,
    std::type_identity_t<TensorView<const T, 4>> out_grad,
    const AttentionGradients<T>& gradients) {
  const Problem call = internal::CheckPackedBackward(
      inputs, offsets, options, forward, out_grad, gradients);
  const std::vector<Sequence> sequences = SequencesOf(call, offsets);
  const auto run = [&](const Sequence& sequence, int num_threads) {
    internal::RunBackward<T>(sequence.WithThreads(num_threads),
                             sequence.Of(inputs), sequence.Of(forward),
                             sequence.Queries(out_grad),
                             {.query = sequence.Queries(gradients.query),
                              .key = sequence.Keys(gradients.key),
                              .value = sequence.Keys(gradients.value)});
  };
  internal::BeginBackward(call, ScoresOf(call, sequences));
  if (AnyModIsOrdered(call)) {
    for (const Sequence& sequence : sequences) run(sequence, call.num_threads);
  } else {
    RunAll(call, sequences, run);
  }
  internal::EndBackward(call);
  if (gradients.sinks.data != nullptr)
    internal::WriteSinkGradient(call, forward, out_grad, gradients.sinks);
}

template void AttentionForwardPacked(const AttentionInputs<float>&,
                                     const SequenceOffsets&,
                                     const AttentionOptions&,
                                     const AttentionOutputs<float>&);
template void AttentionBackwardPacked(const AttentionInputs<float>&,
                                      const SequenceOffsets&,
                                      const AttentionOptions&,
                                      const AttentionOutputs<float>&,
                                      TensorView<const float, 4>,
                                      const AttentionGradients<float>&);
template void AttentionForwardPacked(const AttentionInputs<BFloat16>&,
                                     const SequenceOffsets&,
                                     const AttentionOptions&,
                                     const AttentionOutputs<BFloat16>&);
template void AttentionBackwardPacked(const AttentionInputs<BFloat16>&,
                                      const SequenceOffsets&,
                                      const AttentionOptions&,
                                      const AttentionOutputs<BFloat16>&,
                                      TensorView<const BFloat16, 4>,
                                      const AttentionGradients<BFloat16>&);
template void AttentionForwardPacked(const AttentionInputs<Float16>&,
                                     const SequenceOffsets&,
                                     const AttentionOptions&,
                                     const AttentionOutputs<Float16>&);
template void AttentionBackwardPacked(const AttentionInputs<Float16>&,
                                      const SequenceOffsets&,
                                      const AttentionOptions&,
                                      const AttentionOutputs<Float16>&,
                                      TensorView<const Float16, 4>,
                                      const AttentionGradients<Float16>&);

}  // namespace keylens
