#include <keylens/attention.h>
#include <keylens/nn/attention_relevance.h>

#include <numeric>
#include <vector>

#include "src/nn/attention_call.h"
#include "src/nn/function_inputs.h"
#include "src/nn/strided.h"

namespace keylens::nn {
namespace {

// Groups of one: the pooled map is the whole one.
std::vector<int32_t> EachAlone(int64_t count) {
  std::vector<int32_t> groups(static_cast<std::size_t>(count));
  std::iota(groups.begin(), groups.end(), 0);
  return groups;
}

}  // namespace

torch::Tensor AttentionRelevance(const torch::Tensor& query,
                                 const torch::Tensor& key,
                                 const torch::Tensor& value,
                                 const torch::Tensor& out_grad,
                                 const AttentionFuncOptions& options) {
  CheckTensor("AttentionRelevance", "query", query, 4);
  CheckTensor("AttentionRelevance", "key", key, 4);
  CheckTensor("AttentionRelevance", "value", value, 4);
  CheckTensor("AttentionRelevance", "out_grad", out_grad, 4);
  TORCH_CHECK(options.sequences == nullptr && options.report == nullptr,
              "AttentionRelevance: takes no packed sequences and no report");
  const torch::NoGradGuard no_grad;
  const AttentionTensors inputs{query, key, value};
  const torch::Tensor out = at::empty_like(out_grad);
  const torch::Tensor logsumexp =
      at::empty({query.size(0), query.size(1), query.size(2)});
  RunForward(inputs, options, out, logsumexp);
  torch::Tensor relevance =
      at::empty({query.size(0), query.size(1), query.size(2), key.size(2)});
  const std::vector<int32_t> queries = EachAlone(query.size(2));
  const std::vector<int32_t> keys = EachAlone(key.size(2));
  RunRelevance(inputs, options, out, logsumexp, out_grad, queries, keys,
               relevance);
  return relevance;
}

}  // namespace keylens::nn
