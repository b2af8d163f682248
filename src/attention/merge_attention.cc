#include <keylens/attention.h>

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "src/attention/door/argument_checker.h"
#include "src/attention/passes/merge.h"
#include "src/attention/plan/parallel.h"
#include "src/attention/plan/problem.h"

namespace keylens {
namespace internal {
namespace {

using Shape3 = std::array<int64_t, 3>;

template <typename T>
void CheckMerge(std::span<const AttentionPart<T>> parts,
                const AttentionOutputs<T>& merged, int num_threads) {
  ArgumentChecker checker("MergeAttention");
  const auto& shape = merged.out.shape;
  const Shape3 rows = {shape[0], shape[1], shape[2]};
  if (parts.empty()) checker.Fail("there are no parts");
  if (num_threads < 0)
    checker.Fail("num_threads is " + std::to_string(num_threads));
  for (const AttentionPart<T>& part : parts) {
    checker.RequireShape("out of a part", part.out.shape, shape,
                         "the shape of the merged out");
    checker.Reads("out of a part", part.out);
    checker.RequireShape("logsumexp of a part", part.logsumexp.shape, rows,
                         "batch, num_heads, query_len");
    checker.Reads("logsumexp of a part", part.logsumexp);
  }
  checker.Writes("out", merged.out);
  if (merged.logsumexp.data != nullptr) {
    checker.RequireShape("logsumexp", merged.logsumexp.shape, rows,
                         "batch, num_heads, query_len");
    checker.Writes("logsumexp", merged.logsumexp);
  }
  checker.RequireSeparateOutputs();
}

// The rows of one head.
template <typename T>
void MergeHead(std::span<const AttentionPart<T>> parts,
               const AttentionOutputs<T>& merged, int64_t batch, int64_t head) {
  const int64_t dim = merged.out.shape[3];
  std::vector<float> outs(parts.size() * static_cast<std::size_t>(dim));
  std::vector<float> sum(static_cast<std::size_t>(dim));
  std::vector<PartialRow> rows(parts.size());
  for (int64_t query = 0; query < merged.out.shape[2]; ++query) {
    for (std::size_t i = 0; i < parts.size(); ++i) {
      float* out = outs.data() + i * static_cast<std::size_t>(dim);
      const auto from = HeadRows(parts[i].out, batch, head, query, 1);
      for (int64_t c = 0; c < dim; ++c)
        out[c] = static_cast<float>(from.data[c * from.col_stride]);
      rows[i] = {*ElementOf(parts[i].logsumexp, batch, head, query), 1.0f, out};
    }
    const float logsumexp = MergeRow(rows, dim, sum.data());
    const auto to = HeadRows(merged.out, batch, head, query, 1);
    for (int64_t c = 0; c < dim; ++c) {
      to.data[c * to.col_stride] =
          static_cast<T>(sum[static_cast<std::size_t>(c)]);
    }
    if (merged.logsumexp.data != nullptr)
      *ElementOf(merged.logsumexp, batch, head, query) = logsumexp;
  }
}

}  // namespace
}  // namespace internal

template <typename T>
void MergeAttention(
    std::type_identity_t<std::span<const AttentionPart<T>>> parts,
    const AttentionOutputs<T>& merged, int num_threads) {
  internal::CheckMerge(parts, merged, num_threads);
  const int64_t heads = merged.out.shape[1];
  internal::ParallelFor(
      merged.out.shape[0] * heads, internal::ResolveThreads(num_threads),
      [&](int64_t i, int) {
        internal::MergeHead(parts, merged, i / heads, i % heads);
      });
}

template void MergeAttention(std::span<const AttentionPart<float>>,
                             const AttentionOutputs<float>&, int);
template void MergeAttention(std::span<const AttentionPart<BFloat16>>,
                             const AttentionOutputs<BFloat16>&, int);
template void MergeAttention(std::span<const AttentionPart<Float16>>,
                             const AttentionOutputs<Float16>&, int);

}  // namespace keylens
