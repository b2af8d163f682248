#include "src/attention/door/checks.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "src/attention/door/argument_checker.h"
#include "src/attention/door/check_options.h"
#include "src/attention/door/check_statistics.h"

namespace keylens::internal {
namespace {

using Shape3 = std::array<int64_t, 3>;
using Shape4 = std::array<int64_t, 4>;

template <typename T>
std::string ShapesText(const AttentionInputs<T>& inputs) {
  return "query " + ShapeText(inputs.query.shape) + ", key " +
         ShapeText(inputs.key.shape) + ", value " +
         ShapeText(inputs.value.shape);
}

// Whether the call computes with values, or with queries and keys alone.
enum class Values { kUsed, kUnused };

template <typename T>
void RequireAgreement(const ArgumentChecker& checker,
                      const AttentionInputs<T>& inputs, Values values) {
  const Shape4& query = inputs.query.shape;
  const Shape4& key = inputs.key.shape;
  const Shape4& value = inputs.value.shape;
  const auto fail = [&](const std::string& what) {
    checker.Fail(what + ": " + ShapesText(inputs));
  };
  if (query[0] != key[0]) fail("query and key disagree on the batch");
  if (query[3] != key[3]) fail("query and key disagree on head_dim");
  if (query[3] == 0) fail("head_dim is 0");
  if (key[1] == 0 ? query[1] > 0 : query[1] % key[1] != 0)
    fail("num_heads is no multiple of num_kv_heads");
  if (values == Values::kUnused) return;
  if (!std::equal(key.begin(), key.begin() + 3, value.begin())) {
    fail("key and value disagree on batch, num_kv_heads or kv_len");
  }
}

// Checks what all functions have in common.
template <typename T>
Problem CheckInputs(ArgumentChecker& checker, const AttentionInputs<T>& inputs,
                    const AttentionOptions& options, Values values,
                    const SequenceOffsets* offsets = nullptr) {
  checker.Reads("query", inputs.query);
  checker.Reads("key", inputs.key);
  if (values == Values::kUsed) checker.Reads("value", inputs.value);
  RequireAgreement(checker, inputs, values);
  Problem problem;
  problem.batch = inputs.query.shape[0];
  problem.num_heads = inputs.query.shape[1];
  problem.num_kv_heads = inputs.key.shape[1];
  problem.query_len = inputs.query.shape[2];
  problem.kv_len = inputs.key.shape[2];
  problem.head_dim = inputs.query.shape[3];
  problem.value_dim = values == Values::kUsed ? inputs.value.shape[3] : 0;
  AddOptions(checker, options,
             offsets == nullptr ? ScoresOf(problem)
                                : ScoresOf(checker, problem, *offsets),
             problem);
  return problem;
}

Shape3 RowsShape(const Problem& problem) {
  return {problem.batch, problem.num_heads, problem.query_len};
}

Shape4 OutShape(const Problem& problem) {
  return {problem.batch, problem.num_heads, problem.query_len,
          problem.value_dim};
}

constexpr char kRowsAxes[] = "batch, num_heads, query_len";
constexpr char kOutAxes[] = "batch, num_heads, query_len, value_dim";

template <typename T>
void CheckOutputs(ArgumentChecker& checker, const Problem& problem,
                  const AttentionOutputs<T>& outputs) {
  checker.RequireShape("out", outputs.out.shape, OutShape(problem), kOutAxes);
  checker.Writes("out", outputs.out);
  if (outputs.logsumexp.data == nullptr) return;
  checker.RequireShape("logsumexp", outputs.logsumexp.shape, RowsShape(problem),
                       kRowsAxes);
  checker.Writes("logsumexp", outputs.logsumexp);
}

template <typename T>
void CheckGradient(ArgumentChecker& checker, const char* name,
                   const TensorView<T, 4>& gradient, const Shape4& expected) {
  if (gradient.data == nullptr) return;
  checker.RequireShape(name, gradient.shape, expected,
                       "the shape of the input");
  checker.Writes(name, gradient);
}

void CheckSinkGradient(ArgumentChecker& checker, const Problem& problem,
                       const TensorView<float, 1>& sinks) {
  if (sinks.data == nullptr) return;
  if (problem.sinks.empty())
    checker.Fail("a gradient of sinks, and no sinks in the options");
  checker.RequireShape("the gradient of sinks", sinks.shape,
                       std::array<int64_t, 1>{problem.num_heads}, "num_heads");
  checker.Writes("the gradient of sinks", sinks);
}

// What a backward pass reads besides its inputs, and what it writes, but for
// relevance.
template <typename T>
void CheckGradients(ArgumentChecker& checker, const Problem& problem,
                    const AttentionInputs<T>& inputs,
                    const AttentionOutputs<T>& forward,
                    const TensorView<const T, 4>& out_grad,
                    const AttentionGradients<T>& gradients) {
  checker.RequireShape("out", forward.out.shape, OutShape(problem), kOutAxes);
  checker.Reads("out", forward.out);
  checker.RequireShape("logsumexp", forward.logsumexp.shape, RowsShape(problem),
                       kRowsAxes);
  checker.Reads("logsumexp", forward.logsumexp);
  checker.RequireShape("out_grad", out_grad.shape, OutShape(problem), kOutAxes);
  checker.Reads("out_grad", out_grad);
  CheckGradient(checker, "the gradient of query", gradients.query,
                inputs.query.shape);
  CheckGradient(checker, "the gradient of key", gradients.key,
                inputs.key.shape);
  CheckGradient(checker, "the gradient of value", gradients.value,
                inputs.value.shape);
  CheckSinkGradient(checker, problem, gradients.sinks);
}

}  // namespace

template <typename T>
Problem CheckForward(const AttentionInputs<T>& inputs,
                     const AttentionOptions& options,
                     const AttentionOutputs<T>& outputs,
                     const Inspection* inspection) {
  ArgumentChecker checker("AttentionForward");
  const Problem problem = CheckInputs(checker, inputs, options, Values::kUsed);
  CheckOutputs(checker, problem, outputs);
  if (inspection != nullptr) CheckInspection(checker, problem, *inspection);
  checker.RequireSeparateOutputs();
  return problem;
}

template <typename T>
Problem CheckDecode(const TensorView<const T, 4>& query,
                    const KeyValueCacheOptions& cache, int64_t num_sequences,
                    int64_t longest_kv_len, const AttentionOptions& options,
                    const AttentionOutputs<T>& outputs) {
  ArgumentChecker checker("AttentionDecode");
  checker.Reads("query", query);
  const auto& shape = query.shape;
  const std::string described = "query " + ShapeText(shape) +
                                " and a cache of " +
                                std::to_string(cache.num_kv_heads) +
                                " heads of " + std::to_string(cache.head_dim);
  if (shape[0] != num_sequences)
    checker.Fail(std::to_string(num_sequences) + " sequences for " + described);
  if (shape[3] != cache.head_dim)
    checker.Fail("they disagree on head_dim: " + described);
  if (shape[1] % cache.num_kv_heads != 0)
    checker.Fail("num_heads is no multiple of num_kv_heads: " + described);
  Problem problem;
  problem.batch = shape[0];
  problem.num_heads = shape[1];
  problem.num_kv_heads = cache.num_kv_heads;
  problem.query_len = shape[2];
  problem.kv_len = longest_kv_len;
  problem.head_dim = cache.head_dim;
  problem.value_dim = cache.value_dim;
  AddOptions(checker, options, ScoresOf(problem), problem);
  CheckOutputs(checker, problem, outputs);
  checker.RequireSeparateOutputs();
  return problem;
}

template <typename T>
Problem CheckBackward(const AttentionInputs<T>& inputs,
                      const AttentionOptions& options,
                      const AttentionOutputs<T>& forward,
                      const TensorView<const T, 4>& out_grad,
                      const AttentionGradients<T>& gradients) {
  ArgumentChecker checker("AttentionBackward");
  const Problem problem = CheckInputs(checker, inputs, options, Values::kUsed);
  CheckGradients(checker, problem, inputs, forward, out_grad, gradients);
  CheckGroupSums(checker, problem, "relevance", gradients.relevance,
                 gradients.query_group, gradients.key_group);
  checker.RequireSeparateOutputs();
  return problem;
}

template <typename T>
Problem CheckPackedForward(const AttentionInputs<T>& inputs,
                           const SequenceOffsets& offsets,
                           const AttentionOptions& options,
                           const AttentionOutputs<T>& outputs) {
  ArgumentChecker checker("AttentionForwardPacked");
  const Problem problem =
      CheckInputs(checker, inputs, options, Values::kUsed, &offsets);
  CheckOutputs(checker, problem, outputs);
  checker.RequireSeparateOutputs();
  return problem;
}

template <typename T>
Problem CheckPackedBackward(const AttentionInputs<T>& inputs,
                            const SequenceOffsets& offsets,
                            const AttentionOptions& options,
                            const AttentionOutputs<T>& forward,
                            const TensorView<const T, 4>& out_grad,
                            const AttentionGradients<T>& gradients) {
  ArgumentChecker checker("AttentionBackwardPacked");
  const Problem problem =
      CheckInputs(checker, inputs, options, Values::kUsed, &offsets);
  CheckGradients(checker, problem, inputs, forward, out_grad, gradients);
  if (gradients.relevance.data != nullptr)
    checker.Fail("there is no relevance of packed sequences");
  checker.RequireSeparateOutputs();
  return problem;
}

template <typename T>
Problem CheckInspect(const AttentionInputs<T>& inputs,
                     const AttentionOptions& options,
                     const TensorView<const float, 3>& logsumexp,
                     const Inspection& inspection) {
  ArgumentChecker checker("AttentionInspect");
  const Problem problem =
      CheckInputs(checker, inputs, options, Values::kUnused);
  checker.RequireShape("logsumexp", logsumexp.shape, RowsShape(problem),
                       kRowsAxes);
  checker.Reads("logsumexp", logsumexp);
  CheckInspection(checker, problem, inspection);
  checker.RequireSeparateOutputs();
  return problem;
}

template Problem CheckForward(const AttentionInputs<float>&,
                              const AttentionOptions&,
                              const AttentionOutputs<float>&,
                              const Inspection*);
template Problem CheckDecode(const TensorView<const float, 4>&,
                             const KeyValueCacheOptions&, int64_t, int64_t,
                             const AttentionOptions&,
                             const AttentionOutputs<float>&);
template Problem CheckBackward(const AttentionInputs<float>&,
                               const AttentionOptions&,
                               const AttentionOutputs<float>&,
                               const TensorView<const float, 4>&,
                               const AttentionGradients<float>&);
template Problem CheckPackedForward(const AttentionInputs<float>&,
                                    const SequenceOffsets&,
                                    const AttentionOptions&,
                                    const AttentionOutputs<float>&);
template Problem CheckPackedBackward(const AttentionInputs<float>&,
                                     const SequenceOffsets&,
                                     const AttentionOptions&,
                                     const AttentionOutputs<float>&,
                                     const TensorView<const float, 4>&,
                                     const AttentionGradients<float>&);
template Problem CheckInspect(const AttentionInputs<float>&,
                              const AttentionOptions&,
                              const TensorView<const float, 3>&,
                              const Inspection&);

template Problem CheckForward(const AttentionInputs<BFloat16>&,
                              const AttentionOptions&,
                              const AttentionOutputs<BFloat16>&,
                              const Inspection*);
template Problem CheckDecode(const TensorView<const BFloat16, 4>&,
                             const KeyValueCacheOptions&, int64_t, int64_t,
                             const AttentionOptions&,
                             const AttentionOutputs<BFloat16>&);
template Problem CheckBackward(const AttentionInputs<BFloat16>&,
                               const AttentionOptions&,
                               const AttentionOutputs<BFloat16>&,
                               const TensorView<const BFloat16, 4>&,
                               const AttentionGradients<BFloat16>&);
template Problem CheckPackedForward(const AttentionInputs<BFloat16>&,
                                    const SequenceOffsets&,
                                    const AttentionOptions&,
                                    const AttentionOutputs<BFloat16>&);
template Problem CheckPackedBackward(const AttentionInputs<BFloat16>&,
                                     const SequenceOffsets&,
                                     const AttentionOptions&,
                                     const AttentionOutputs<BFloat16>&,
                                     const TensorView<const BFloat16, 4>&,
                                     const AttentionGradients<BFloat16>&);
template Problem CheckInspect(const AttentionInputs<BFloat16>&,
                              const AttentionOptions&,
                              const TensorView<const float, 3>&,
                              const Inspection&);

template Problem CheckForward(const AttentionInputs<Float16>&,
                              const AttentionOptions&,
                              const AttentionOutputs<Float16>&,
                              const Inspection*);
template Problem CheckDecode(const TensorView<const Float16, 4>&,
                             const KeyValueCacheOptions&, int64_t, int64_t,
                             const AttentionOptions&,
                             const AttentionOutputs<Float16>&);
template Problem CheckBackward(const AttentionInputs<Float16>&,
                               const AttentionOptions&,
                               const AttentionOutputs<Float16>&,
                               const TensorView<const Float16, 4>&,
                               const AttentionGradients<Float16>&);
template Problem CheckPackedForward(const AttentionInputs<Float16>&,
                                    const SequenceOffsets&,
                                    const AttentionOptions&,
                                    const AttentionOutputs<Float16>&);
template Problem CheckPackedBackward(const AttentionInputs<Float16>&,
                                     const SequenceOffsets&,
                                     const AttentionOptions&,
                                     const AttentionOutputs<Float16>&,
                                     const TensorView<const Float16, 4>&,
                                     const AttentionGradients<Float16>&);
template Problem CheckInspect(const AttentionInputs<Float16>&,
                              const AttentionOptions&,
                              const TensorView<const float, 3>&,
                              const Inspection&);

}  // namespace keylens::internal
