#include "src/attention/checks.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "src/attention/argument_checker.h"
#include "src/attention/parallel.h"

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

void RequireUsable(const ArgumentChecker& checker,
                   const AttentionOptions& options, const ScoreShape& shape) {
  if (options.scale.has_value() && std::isnan(*options.scale))
    checker.Fail("scale is NaN");
  if (options.num_threads < 0)
    checker.Fail("num_threads is " + std::to_string(options.num_threads));
  const auto num_sinks = static_cast<int64_t>(options.sinks.size());
  if (num_sinks != 0 && num_sinks != shape.num_heads) {
    checker.Fail("there are " + std::to_string(num_sinks) + " sinks for " +
                 std::to_string(shape.num_heads) + " heads");
  }
  for (const float sink : options.sinks) {
    if (!(sink < std::numeric_limits<float>::infinity()))
      checker.Fail("a sink is " + std::to_string(sink));
  }
  const float dropout = options.dropout.probability;
  if (!(dropout >= 0.0f && dropout < 1.0f)) {
    checker.Fail("the dropout probability " + std::to_string(dropout) +
                 " is not in [0, 1)");
  }
  const auto require_fit = [&](const std::string& misfit) {
    if (misfit.empty()) return;
    checker.Fail(misfit + "; the scores are " +
                 ShapeText(Shape4{shape.batch, shape.num_heads, shape.query_len,
                                  shape.kv_len}));
  };
  if (options.mask != nullptr) require_fit(options.mask->Misfit(shape));
  for (const ScoreMod* mod : options.score_mods) {
    if (mod == nullptr) checker.Fail("a score mod is null");
    require_fit(mod->Misfit(shape));
  }
}

// Adds the options to a problem that has its shapes; `scores` is what masks and
// mods see.
void AddOptions(const ArgumentChecker& checker, const AttentionOptions& options,
                const ScoreShape& scores, Problem& problem) {
  RequireUsable(checker, options, scores);
  problem.scale = options.scale.value_or(
      1.0f / std::sqrt(static_cast<float>(problem.head_dim)));
  problem.mask = options.mask;
  problem.score_mods = options.score_mods;
  problem.sinks = options.sinks;
  problem.dropout = options.dropout;
  problem.num_threads = ResolveThreads(options.num_threads);
}

ScoreShape ScoresOf(const Problem& problem) {
  return {problem.batch, problem.num_heads, problem.query_len, problem.kv_len};
}

// Returns the length of the longest sequence.
int64_t CheckOffsets(const ArgumentChecker& checker, const char* name,
                     std::span<const int64_t> offsets, int64_t len) {
  if (offsets.empty() || offsets.front() != 0 || offsets.back() != len) {
    checker.Fail(std::string(name) + " offsets must run from 0 to " +
                 std::to_string(len) + ", the length of the axis");
  }
  int64_t longest = 0;
  for (std::size_t s = 0; s + 1 < offsets.size(); ++s) {
    const int64_t own = offsets[s + 1] - offsets[s];
    if (own < 0)
      checker.Fail(std::string(name) + " offset " + std::to_string(s + 1) +
                   " is less than the one before");
    longest = std::max(longest, own);
  }
  return longest;
}

// Of packed sequences, each of which is a batch entry to masks and mods.
ScoreShape ScoresOf(const ArgumentChecker& checker, const Problem& problem,
                    const SequenceOffsets& offsets) {
  if (problem.batch != 1)
    checker.Fail("the batch axis of packed sequences has length " +
                 std::to_string(problem.batch) + ", not 1");
  if (offsets.query.size() != offsets.key.size()) {
    checker.Fail(std::to_string(offsets.query.size()) + " query offsets and " +
                 std::to_string(offsets.key.size()) + " key offsets");
  }
  const int64_t query =
      CheckOffsets(checker, "query", offsets.query, problem.query_len);
  const int64_t key = CheckOffsets(checker, "key", offsets.key, problem.kv_len);
  return {static_cast<int64_t>(offsets.query.size()) - 1, problem.num_heads,
          query, key};
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

void RequireGroupIds(const ArgumentChecker& checker, const char* name,
                     std::span<const int32_t> ids, int64_t len,
                     const char* sums, int64_t groups) {
  if (static_cast<int64_t>(ids.size()) != len) {
    checker.Fail(std::string(name) + " has " + std::to_string(ids.size()) +
                 " ids, expected " + std::to_string(len));
  }
  const auto bad = std::find_if(ids.begin(), ids.end(), [groups](int32_t id) {
    return id < -1 || id >= groups;
  });
  if (bad == ids.end()) return;
  checker.Fail(std::string(name) + " has id " + std::to_string(*bad) +
               " at index " + std::to_string(bad - ids.begin()) + "; " + sums +
               " has " + std::to_string(groups) +
               " groups there, and -1 leaves out");
}

// Sums over groups of queries and keys.
void CheckGroupSums(ArgumentChecker& checker, const Problem& problem,
                    const char* name, const TensorView<float, 4>& sums,
                    std::span<const int32_t> query_group,
                    std::span<const int32_t> key_group) {
  if (sums.data == nullptr) return;
  checker.Writes(name, sums);
  checker.RequireShape(
      name, sums.shape,
      Shape4{problem.batch, problem.num_heads, sums.shape[2], sums.shape[3]},
      "batch, num_heads, query groups, key groups");
  RequireGroupIds(checker, "query_group", query_group, problem.query_len, name,
                  sums.shape[2]);
  RequireGroupIds(checker, "key_group", key_group, problem.kv_len, name,
                  sums.shape[3]);
}

template <typename T>
void CheckTop(ArgumentChecker& checker, const Problem& problem,
              const char* name, const TensorView<T, 4>& top) {
  if (top.data == nullptr) return;
  if (top.shape[3] < 1)
    checker.Fail(std::string(name) + " of shape " + ShapeText(top.shape) +
                 ": k must be at least 1");
  checker.Writes(name, top);
  checker.RequireShape(
      name, top.shape,
      Shape4{problem.batch, problem.num_heads, problem.query_len, top.shape[3]},
      "batch, num_heads, query_len, k");
}

void CheckWeights(ArgumentChecker& checker, const Problem& problem,
                  const Inspection& inspection) {
  if (inspection.weights.data == nullptr) return;
  const int64_t begin = inspection.query_rows.begin;
  const int64_t end = inspection.query_rows.end == IndexRange::kToTheEnd
                          ? problem.query_len
                          : inspection.query_rows.end;
  if (begin < 0 || end < begin || end > problem.query_len) {
    checker.Fail("query_rows [" + std::to_string(begin) + ", " +
                 std::to_string(end) + ") is no range of " +
                 std::to_string(problem.query_len) + " queries");
  }
  checker.Writes("weights", inspection.weights);
  checker.RequireShape(
      "weights", inspection.weights.shape,
      Shape4{problem.batch, problem.num_heads, end - begin, problem.kv_len},
      "batch, num_heads, rows of query_rows, kv_len");
}

void CheckInspection(ArgumentChecker& checker, const Problem& problem,
                     const Inspection& inspection) {
  if (problem.dropout.probability > 0.0f)
    checker.Fail("there are no statistics with dropout; inspect without it");
  CheckWeights(checker, problem, inspection);
  if (inspection.entropy.data != nullptr) {
    checker.Writes("entropy", inspection.entropy);
    checker.RequireShape("entropy", inspection.entropy.shape,
                         RowsShape(problem), kRowsAxes);
  }
  if (inspection.key_mass.data != nullptr) {
    checker.Writes("key_mass", inspection.key_mass);
    checker.RequireShape(
        "key_mass", inspection.key_mass.shape,
        Shape3{problem.batch, problem.num_heads, problem.kv_len},
        "batch, num_heads, kv_len");
  }
  CheckTop(checker, problem, "top_keys", inspection.top_keys);
  CheckTop(checker, problem, "top_weights", inspection.top_weights);
  if (inspection.top_keys.data != nullptr &&
      inspection.top_weights.data != nullptr &&
      inspection.top_keys.shape != inspection.top_weights.shape) {
    checker.Fail("top_keys " + ShapeText(inspection.top_keys.shape) +
                 " and top_weights " + ShapeText(inspection.top_weights.shape) +
                 " differ in shape");
  }
  CheckGroupSums(checker, problem, "pooled", inspection.pooled,
                 inspection.query_group, inspection.key_group);
}

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
  if (gradients.relevance.data != nullptr && options.dropout.probability > 0)
    checker.Fail("there is no relevance with dropout");
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
